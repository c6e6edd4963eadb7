// The few texels that a reducing pass fetches for each texel that it draws.

// the largest finite float; of 3.4028235e38 some compilers make infinity
#define MOST 3.4028234e38

uniform SAMPLER keys;
uniform ivec2 taps[TAPS];

flat in ivec2 origin;
flat in ivec2 direction;
out TEXEL color;

TEXEL tap(int i) {
    return texelFetch(keys, origin + direction * ivec2(gl_FragCoord.xy) + taps[i], 0);
}
