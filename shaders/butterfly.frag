// Several steps of a sorting network on eight keys at once, in registers. COMPARATORS are those of
// all the steps, in their order. With sixteen INPUTS, a step before them compares each of the eight
// keys with another one, and keeps only the smaller or the larger of the two.
//
// With eight OUTPUTS every key is written, each into its own texture; with one OUTPUT, only the key
// of the wire that lies in this place, after the steps INSIDE of its texel.

#include "wires.glsl"
#include "inside.glsl"

uniform SAMPLER sources[INPUTS];  // for each key, the layer that holds it
uniform int offsets[INPUTS];      // for each key, the bits in which its position differs
uniform ivec2 columns[BITS];      // for each bit of a position here: the bits of the position of
                                  // the first key, and of this wire's place among the keys

TEXEL joined(TEXEL a, TEXEL b, bool upper) {
    return upper ? larger(a, b) : smaller(a, b);
}

#define FETCHED(i) texelFetch(sources[i], place_of(first ^ offsets[i]), 0)
#if INPUTS == 16
#define INPUT(i, other) joined(FETCHED(i), FETCHED(other), place >= 8)
#else
#define INPUT(i, other) FETCHED(i)
#endif

#define COMPARE(low, high)                \
    {                                     \
        TEXEL least = smaller(low, high); \
        high = larger(low, high);         \
        low = least;                      \
    }

#if OUTPUTS == 8
layout(location = 0) out TEXEL color0;
layout(location = 1) out TEXEL color1;
layout(location = 2) out TEXEL color2;
layout(location = 3) out TEXEL color3;
layout(location = 4) out TEXEL color4;
layout(location = 5) out TEXEL color5;
layout(location = 6) out TEXEL color6;
layout(location = 7) out TEXEL color7;
#else
out TEXEL color;
#endif

void main() {
    int position = wire_at(ivec2(gl_FragCoord.xy));
    int first = 0, place = 0;
    for (int i = 0; i < BITS; ++i) {
        int bit = -(position >> i & 1);
        first ^= bit & columns[i].x;
        place ^= bit & columns[i].y;
    }

    TEXEL key0 = INPUT(0, 8), key1 = INPUT(1, 9), key2 = INPUT(2, 10), key3 = INPUT(3, 11);
    TEXEL key4 = INPUT(4, 12), key5 = INPUT(5, 13), key6 = INPUT(6, 14), key7 = INPUT(7, 15);
    COMPARATORS

#if OUTPUTS == 8
    color0 = key0; color1 = key1; color2 = key2; color3 = key3;
    color4 = key4; color5 = key5; color6 = key6; color7 = key7;
#else
    place &= 7;
    TEXEL low = place < 2 ? (place == 0 ? key0 : key1) : (place == 2 ? key2 : key3);
    TEXEL high = place < 6 ? (place == 4 ? key4 : key5) : (place == 6 ? key6 : key7);
    color = after_steps_inside(place < 4 ? low : high, position);
#endif
}
