// Reduces keys, four channels at once, to one texel: a minimum, a maximum and two sums. Each shader
// has its own function `see`, which adds the keys of one texel.

#include "taps.glsl"

vec4 lows = vec4(MOST), highs = vec4(-MOST), firsts = vec4(0.0), seconds = vec4(0.0);

void see(vec4 keys);

float sum(vec4 of) {
    return of.r + of.g + of.b + of.a;
}

bvec4 both(bvec4 a, bvec4 b) {
    return bvec4(ivec4(a) * ivec4(b));
}

bvec4 finite(vec4 keys) {
    return lessThanEqual(abs(keys), vec4(MOST));
}

void main() {
    for (int i = 0; i < TAPS; ++i) see(tap(i));
    vec2 low = min(lows.rg, lows.ba), high = max(highs.rg, highs.ba);
    color = vec4(min(low.r, low.g), max(high.r, high.g), sum(firsts), sum(seconds));
}
