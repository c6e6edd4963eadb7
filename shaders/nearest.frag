// The smallest finite key that is not below a pivot, the largest that is not above it, and how many
// keys of each kind there are.

#include "leaf.glsl"

uniform float pivot;

void see(vec4 keys) {
    bvec4 upper = both(finite(keys), greaterThanEqual(keys, vec4(pivot)));
    bvec4 lower = both(finite(keys), lessThanEqual(keys, vec4(pivot)));
    lows = min(lows, mix(vec4(MOST), keys, upper));
    highs = max(highs, mix(vec4(-MOST), keys, lower));
    firsts += vec4(upper);
    seconds += vec4(lower);
}
