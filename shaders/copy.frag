// The colour of a fragment is the texel at its texture coordinates. Drawn with MIN or MAX blending,
// this is half a comparator: the other half is the blend equation.

uniform SAMPLER keys;

flat in ivec2 origin;
flat in ivec2 direction;
out TEXEL color;

void main() {
    color = texelFetch(keys, origin + direction * ivec2(gl_FragCoord.xy), 0);
}
