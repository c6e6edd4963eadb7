// Wires of a sorting network lie in a texture row by row: wire i at texel (i % width, i / width).
// The width is a power of two.

#include "order.glsl"

uniform SAMPLER keys;
uniform int log2_width;

ivec2 place_of(int wire) {
    return ivec2(wire & ((1 << log2_width) - 1), wire >> log2_width);
}

int wire_at(ivec2 place) {
    return (place.y << log2_width) + place.x;
}

TEXEL key_of(int wire) {
    return texelFetch(keys, place_of(wire), 0);
}
