// Half a comparator by texture coordinates alone: a fragment fetches the texel at its own place and
// its partner, which the quad's texture coordinates name, and keeps one of the two. Which one is the
// same for a whole quad, so the shader computes no wire, no partner and no direction.

#include "order.glsl"

uniform SAMPLER keys;
uniform int smaller_stays;

flat in ivec2 origin;
flat in ivec2 direction;
out TEXEL color;

void main() {
    ivec2 place = ivec2(gl_FragCoord.xy);
    TEXEL own = texelFetch(keys, place, 0);
    TEXEL partner = texelFetch(keys, origin + direction * place, 0);
    color = smaller_stays != 0 ? smaller(own, partner) : larger(own, partner);
}
