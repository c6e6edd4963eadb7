// One step of a sorting network: each texel keeps the smaller or the larger of itself and its
// partner. The rule is Step.partner in networks.py; all its sizes are powers of two.

uniform SAMPLER keys;
uniform ivec4 rule;       // mirror (1) or shift (0), block, offset, period
uniform int log2_width;   // of the texture

out TEXEL color;

int partner_of(int index) {
    int block = rule.y, offset = rule.z, period = rule.w;
    int place = (index & (period - 1)) - offset;
    int blocks_end = (period - offset) & ~(block - 1);
    if (place < 0 || place >= blocks_end) return index;

    int inside = place & (block - 1), half_block = block >> 1;
    if (rule.x == 1) return index + block - 1 - 2 * inside;
    return inside < half_block ? index + half_block : index - half_block;
}

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    int index = (here.y << log2_width) + here.x;
    int partner = partner_of(index);
    ivec2 there = ivec2(partner & ((1 << log2_width) - 1), partner >> log2_width);

    TEXEL own = texelFetch(keys, here, 0);
    TEXEL other = texelFetch(keys, there, 0);
    color = index < partner ? min(own, other) : max(own, other);
}
