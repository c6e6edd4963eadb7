// Steps of a sorting network. The rule is Step.partner in networks.py; all its sizes are powers of
// two. SKIPS says whether any step leaves wires idle; most networks have no such step.

#include "wires.glsl"

uniform ivec4 rules[STEPS];  // for each step: mask, half a block, offset, period

int partner_of(int wire, ivec4 rule) {
#if SKIPS
    int mask = rule.x, block = rule.y << 1, offset = rule.z, period = rule.w;
    int place = (wire & (period - 1)) - offset;
    int blocks_end = (period - offset) & ~(block - 1);
    return place < 0 || place >= blocks_end ? wire : wire - place + (place ^ mask);
#else
    return wire ^ rule.x;
#endif
}
