// One channel of a texture: each key coloured by its rank, and the quads that a pass draws outlined
// on a white casing.

#include "rank.glsl"
#include "roles.glsl"

uniform SAMPLER keys;
uniform int channel;
uniform vec3 palette[COLOURS];
uniform vec2 outline;  // widths of the line, and of the line with its casing, in texels

in vec2 place;
out vec4 color;

vec3 shade(float rank) {
    float at = rank * float(COLOURS - 1);
    int below = min(int(at), COLOURS - 2);
    return mix(palette[below], palette[below + 1], at - float(below));
}

void main() {
    ivec2 texel = min(ivec2(place), textureSize(keys, 0) - 1);
    uint role = role_at(texel);
    bool outlined = role >= MIN_ROLE && outline.x > 0.0;

    if (outlined && at_edge(place, texel, outline.x))
        color = vec4(role_colours[role], 1.0);
    else if (outlined && at_edge(place, texel, outline.y))
        color = vec4(1.0);
    else {
        int rank = rank_of(texelFetch(keys, texel, 0)[channel]);
        color = vec4(shade(float(rank) / float(max(1, value_count - 1))), 1.0);
    }
}
