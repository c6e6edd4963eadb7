// The sums of the distances to a pivot, for finite keys of a window: below the pivot, and above it.

#include "leaf.glsl"

uniform float pivot;
uniform float low;
uniform float high;

void see(vec4 keys) {
    bvec4 inside = both(greaterThan(keys, vec4(low)), lessThan(keys, vec4(high)));
    inside = both(inside, finite(keys));
    firsts += mix(vec4(0.0), pivot - keys, both(inside, lessThan(keys, vec4(pivot))));
    seconds += mix(vec4(0.0), keys - pivot, both(inside, greaterThan(keys, vec4(pivot))));
}
