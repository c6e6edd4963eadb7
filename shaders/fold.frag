// Reduces summaries to one: a minimum, a maximum and two sums.

#include "taps.glsl"

void main() {
    color = tap(0);
    for (int i = 1; i < TAPS; ++i) {
        vec4 other = tap(i);
        color = vec4(min(color.r, other.r), max(color.g, other.g), color.ba + other.ba);
    }
}
