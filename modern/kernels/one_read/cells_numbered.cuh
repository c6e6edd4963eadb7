// Numbers the cells of tables inside each other in the order of codes (cells_built.cu).

// How many cells an entry stands for, given those of all nodes that are further inside.
__device__ __forceinline__ u32 cells_below(const u32* total, const Node& node, u32 place) {
    if (place > node.last) return 0;
    const u32 word = entries[node.first + place];
    if (has_pivot(word)) return 3;
    return word & INNER ? total[word & 0xffff] : cells_of(node, place, word);
}

// Numbers the cells of an entry from `first` on.
__device__ __forceinline__ void number_entry(u32* start, const Node& node, u32 place, u32 first) {
    if (place > node.last) return;
    u32& word = entries[node.first + place];
    if (has_pivot(word)) word |= first;
    else if (word & INNER) start[word & 0xffff] = first;
    else word = divided(node, place, word >> 24, first);
}

// Numbers the cells in the order of codes, level by level; a warp has a node, and the block has the root.
__device__ void number(const u32* level_start, u32 levels) {
    u32 *total = bins, *start = bins + NODES;
    const u32 warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    for (u32 level = levels - 1; level; --level) {
        for (u32 i = level_start[level] + warp; i < level_start[level + 1]; i += THREADS / LANES) {
            const Node node = nodes[i];
            u32 sum = 0;
            for (u32 place = lane; place <= node.last; place += LANES) sum += cells_below(total, node, place);
            sum = warp_sum(sum);
            if (!lane) total[i] = sum;
        }
        __syncthreads();
    }
    const Node root = nodes[0];
    u32 count[IN_LEVEL], sum = 0;
#pragma unroll
    for (u32 i = 0; i < IN_LEVEL; ++i) sum += count[i] = cells_below(total, root, IN_LEVEL * threadIdx.x + i);
    u32 first = before_in_block(sum);
#pragma unroll
    for (u32 i = 0; i < IN_LEVEL; ++i)
        number_entry(start, root, IN_LEVEL * threadIdx.x + i, first), first += count[i];
    if (threadIdx.x == THREADS - 1) cells_here = first;
    __syncthreads();
    for (u32 level = 1; level < levels; ++level) {
        for (u32 i = level_start[level] + warp; i < level_start[level + 1]; i += THREADS / LANES) {
            const Node node = nodes[i];
            u32 running = start[i];
            for (u32 row = 0; row <= node.last; row += LANES) {
                const u32 here = cells_below(total, node, row + lane), before = before_in_warp(here);
                number_entry(start, node, row + lane, running + before);
                running += __shfl_sync(FULL, before + here, LANES - 1);
            }
        }
        __syncthreads();
    }
}
