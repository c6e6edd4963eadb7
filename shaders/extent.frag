// The smallest and the largest finite key, their sum, and how many there are.

#include "leaf.glsl"

void see(vec4 keys) {
    bvec4 counts = finite(keys);
    lows = min(lows, mix(vec4(MOST), keys, counts));
    highs = max(highs, mix(vec4(-MOST), keys, counts));
    firsts += mix(vec4(0.0), keys, counts);
    seconds += vec4(counts);
}
