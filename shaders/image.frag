// An image of the size of its panel, pixel by pixel.

uniform sampler2D image;

in vec2 place;
out vec4 color;

void main() {
    color = texelFetch(image, ivec2(place), 0);
}
