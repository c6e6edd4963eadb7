// A line of text: the dots of its letters, with nothing between them.

uniform usampler2D dots;
uniform vec3 ink;

in vec2 place;
out vec4 color;

void main() {
    if (texelFetch(dots, ivec2(place), 0).r == 0u) discard;
    color = vec4(ink, 1.0);
}
