// The same as comparator.frag by a compute shader: an invocation a texel, and nothing is rasterised.

#include "cone.glsl"

layout(local_size_x = 256) in;
layout(FORMAT, binding = 0) writeonly uniform IMAGE result;
uniform int texels;

void main() {
    int wire = int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256
             + int(gl_LocalInvocationID.x);
    if (wire < texels) imageStore(result, place_of(wire), after_steps(wire));
}
