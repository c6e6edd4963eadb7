// The role of each texel in a pass, as a colour: the quads of minima and of maxima. Where texels are
// smaller than pixels, colours are mixed, so that fine stripes do not look like coarse ones.

#include "roles.glsl"

in vec2 place;
out vec4 color;

const int SAMPLES = 4;  // of a pixel, across and down

void main() {
    ivec2 last = textureSize(roles, 0) - 1;
    vec2 pixel = fwidth(place);
    vec3 sum = vec3(0.0);
    for (int i = 0; i < SAMPLES * SAMPLES; ++i) {
        vec2 within = (vec2(i % SAMPLES, i / SAMPLES) + 0.5) / float(SAMPLES) - 0.5;
        ivec2 texel = clamp(ivec2(floor(place + within * pixel)), ivec2(0), last);
        sum += role_colours[role_at(texel)];
    }
    color = vec4(sum / float(SAMPLES * SAMPLES), 1.0);
}
