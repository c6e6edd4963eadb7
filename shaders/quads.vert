// A quad, drawn once for each instance; each instance repeats the first at another place.
//
// Texture coordinates are not interpolated: a quad never stretches its texture, so the texture
// coordinate of a fragment is (origin + direction * position), in integers and exact for every size
// of texture. Outer repeats are numbered: a counting pass takes the number as a texel's channel.

// x0 y0 x1 y1              corners of the first quad, in texels
// s0 t0 s1 t1              its texture coordinates, in texels
// count dx dy, width       repeats of the quad; the target's width
// count dx dy, height      repeats of those repeats; the target's height
uniform ivec4 quads[4];

flat out ivec2 origin;
flat out ivec2 direction;
flat out int channel;

void main() {
    ivec4 corners = quads[0], coordinates = quads[1];
    ivec3 inner = quads[2].xyz, outer = quads[3].xyz;
    ivec2 size = ivec2(quads[2].w, quads[3].w);

    channel = gl_InstanceID / inner.x;
    ivec2 shift = (gl_InstanceID % inner.x) * inner.yz + channel * outer.yz;
    ivec2 corner = ivec2((gl_VertexID & 1) == 0 ? corners.x : corners.z,
                         (gl_VertexID & 2) == 0 ? corners.y : corners.w);

    direction = sign(coordinates.zw - coordinates.xy);
    ivec2 first = coordinates.xy + min(direction, ivec2(0));  // of the fragment at x0, y0
    origin = first + shift - direction * (corners.xy + shift);

    gl_Position = vec4(2.0 * vec2(corner + shift) / vec2(size) - 1.0, 0.0, 1.0);
}
