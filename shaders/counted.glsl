// The key of a fragment: quads are drawn once for each channel of the texels. Nothing is written; an
// occlusion query counts the fragments that are not discarded.

uniform SAMPLER keys;
uniform float pivot;

flat in ivec2 origin;
flat in ivec2 direction;
flat in int channel;

float counted_key() {
    return texelFetch(keys, origin + direction * ivec2(gl_FragCoord.xy), 0)[channel];
}
