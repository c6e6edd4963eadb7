// What a pass draws: the quads of minima and of maxima, each in its colour.

#include "roles.glsl"

in vec2 place;
out vec4 color;

void main() {
    ivec2 texel = min(ivec2(place), textureSize(roles, 0) - 1);
    color = vec4(role_colours[role_at(texel)], 1.0);
}
