// What a pass does, for pictures of it: for each texel the number of the texel that is drawn there
// or compared with it, and its role, of roles.py. A pass of steps tells by the last of them; a pass
// that copies tells by its texture coordinates.

#include "steps.glsl"

uniform int role;  // of the texels of a quad; of idle wires, if there are steps

flat in ivec2 origin;
flat in ivec2 direction;
out TEXEL color;

void main() {
    ivec2 place = ivec2(gl_FragCoord.xy);
#if !COPIES
    int wire = wire_at(place), partner = partner_of(wire, rules[0]);
    color = TEXEL(partner, wire < partner ? MIN : wire > partner ? MAX : role, 0, 0);
#else
    color = TEXEL(wire_at(origin + direction * place), role, 0, 0);
#endif
}
