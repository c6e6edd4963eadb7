// One to three steps of a sorting network in one pass: each texel becomes its key after them.

#include "cone.glsl"

out TEXEL color;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    color = after_steps((here.y << log2_width) + here.x);
}
