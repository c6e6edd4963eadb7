// A panel of a window: it fills the viewport, with a texture's first row at the top.

uniform ivec2 size;  // of the texture, in texels

out vec2 place;  // in the texture, in texels

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    place = vec2(corner.x, 1.0 - corner.y) * vec2(size);
    gl_Position = vec4(2.0 * corner - 1.0, 0.0, 1.0);
}
