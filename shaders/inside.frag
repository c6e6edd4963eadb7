// A copy of each texel, whose lists are joined on the way.

#include "wires.glsl"
#include "inside.glsl"

out TEXEL color;

void main() {
    ivec2 place = ivec2(gl_FragCoord.xy);
    color = after_steps_inside(texelFetch(keys, place, 0), wire_at(place));
}
