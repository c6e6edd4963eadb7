// One to three steps of a sorting network in one pass: each texel becomes its key after them.

#include "cone.glsl"

out TEXEL color;

void main() {
    color = after_steps(wire_at(ivec2(gl_FragCoord.xy)));
}
