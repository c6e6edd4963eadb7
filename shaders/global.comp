// The same as comparator.frag in a compute shader: one invocation a texel, and no rasteriser.

#include "cone.glsl"

layout(local_size_x = 256) in;
layout(FORMAT, binding = 0) writeonly uniform IMAGE result;
uniform int texels;

void main() {
    int wire = int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256
             + int(gl_LocalInvocationID.x);
    if (wire < texels) imageStore(result, place_of(wire), after_steps(wire));
}
