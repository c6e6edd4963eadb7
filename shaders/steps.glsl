// Steps of a sorting network, as shaders see them. The rule is Step.partner in networks.py; all its
// sizes are powers of two. A texture holds wire i at texel (i % width, i / width).

#include "order.glsl"

uniform SAMPLER keys;
uniform ivec4 rules[STEPS];  // of each step: mirror (1) or shift (0), block, offset, period
uniform int log2_width;      // of the texture

int partner_of(int index, ivec4 rule) {
    int block = rule.y, offset = rule.z, period = rule.w;
    int place = (index & (period - 1)) - offset;
    int blocks_end = (period - offset) & ~(block - 1);
    if (place < 0 || place >= blocks_end) return index;

    int inside = place & (block - 1), half_block = block >> 1;
    if (rule.x == 1) return index + block - 1 - 2 * inside;
    return inside < half_block ? index + half_block : index - half_block;
}

ivec2 place_of(int index) {
    return ivec2(index & ((1 << log2_width) - 1), index >> log2_width);
}
