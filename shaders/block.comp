// Many steps of a sorting network inside blocks of texels: a work group loads a block into shared
// memory, each invocation is a comparator of every step, and the block is written back once, after
// the steps INSIDE of each texel.

#include "steps.glsl"
#include "inside.glsl"

layout(local_size_x = HALF_BLOCK) in;
layout(FORMAT, binding = 0) writeonly uniform IMAGE result;
uniform int texels;
uniform int step_count;

shared TEXEL block_keys[BLOCK];

void compare(int comparator, ivec4 rule) {
    int half_block = rule.y;
    int low = ((comparator & ~(half_block - 1)) << 1) + (comparator & (half_block - 1)) + rule.z;
    int high = partner_of(low, rule);
    if (low >= high || high >= BLOCK) return;  // idle

    TEXEL a = block_keys[low], b = block_keys[high];
    block_keys[low] = smaller(a, b);
    block_keys[high] = larger(a, b);
}

void main() {
    int first = int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * BLOCK;
    int lane = int(gl_LocalInvocationID.x);

    for (int i = lane; i < BLOCK; i += HALF_BLOCK)
        if (first + i < texels) block_keys[i] = key_of(first + i);
    for (int step = 0; step < step_count; ++step) {
        barrier();
        compare(lane, rules[step]);
    }
    barrier();
    for (int i = lane; i < BLOCK; i += HALF_BLOCK)
        if (first + i < texels)
            imageStore(result, place_of(first + i), after_steps_inside(block_keys[i], first + i));
}
