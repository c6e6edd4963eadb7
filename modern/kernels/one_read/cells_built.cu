// cells, first kernel: takes a sample, and builds the tables that divide its codes into cells
// (shadersort/selection/primitives/cells.py).
//
// 1. All blocks: each thread takes one load of 16 bytes at a hashed place in its part of the keys.
// 2. The last block: the root over the sample; the mass of each entry; its cells; their masses. Entries with a
//    heavy cell get nodes of their own, and are divided in the same way, until there are none; not if two keys
//    fill the cell, unless it is very heavy.
// 3. It numbers the cells of all tables in the order of codes.
//
// `sample` gets the codes. SAMPLED / PER_LOAD / 1,024 blocks of 1,024 threads, with shared memory
// for the tables, 4 bytes for each cell, and 1 for each entry.

#include "keys.cuh"
#include "scan.cuh"
#include "cells.cuh"
#include "sampled_load.cuh"
#include "votes.cuh"

#define THREADS 1024
#define EACH 256u
#define LEAST 4u
#define HEAVY (SAMPLED / PIVOTS)
#define FREQUENT 128u
#define LEVELS 8u
#define IN_LEVEL 4u  // new entries of each thread, at most
#define ROWS (SAMPLED / PER_LOAD / THREADS)

#define bins ((u32*)BEHIND)
#define owner ((unsigned char*)(bins + CELLS))  // the node of each entry

__shared__ u32 flags[THREADS * IN_LEVEL / LANES];  // heavy entries of the level
__shared__ u32 nodes_here, entries_here, pivots_here, cells_here;

// The smallest and the largest code of heavy entries, and their numbers, behind the first bins.
__device__ __forceinline__ u64* lows() { return (u64*)(bins + THREADS * IN_LEVEL); }
__device__ __forceinline__ u64* highs() { return lows() + PIVOTS; }
__device__ __forceinline__ u32* heavy_entries() { return (u32*)(highs() + PIVOTS); }

// Calls `body` for the codes of the sample, which other blocks have written. AT_ONCE loads of each thread are on their
// way together; fewer make the kernel smaller.
template <u32 AT_ONCE = 4, class Body>
__device__ __forceinline__ void each_sampled(const RAW* sample, Body body) {
#pragma unroll 1
    for (u32 row = 0; row < ROWS; row += AT_ONCE) {
        Load loaded[AT_ONCE];
#pragma unroll
        for (u32 i = 0; i < AT_ONCE; ++i) {
            uint4& words = loaded[i].words;
            asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(words.x), "=r"(words.y), "=r"(words.z), "=r"(words.w)
                         : "l"((const uint4*)sample + (row + i) * THREADS + threadIdx.x)
                         : "memory");
        }
#pragma unroll
        for (u32 i = 0; i < AT_ONCE; ++i)
#pragma unroll
            for (u32 k = 0; k < PER_LOAD; ++k) body(loaded[i].keys[k]);
    }
}

// Where a code ends up: the first node from `level` on, or none of these.
struct Spot {
    u32 node, entry;
    RAW x;
};

__device__ __forceinline__ Spot spot_of(RAW code, u32 level, const Node& root) {
    const RAW beyond_root = beyond(code, root.base);
    const u32 of_root = place_in(root, beyond_root);
    if (!level || (entries[of_root] & PIVOT) != INNER) return {0, of_root, beyond_root};
    u32 node = entries[of_root] & 0xffff;
    while (true) {
        const Node here = nodes[node];
        const RAW x = beyond(code, here.base);
        const u32 entry = here.first + place_in(here, x);
        if (node >= level || (entries[entry] & PIVOT) != INNER) return {node, entry, x};
        node = entries[entry] & 0xffff;
    }
}

__device__ __forceinline__ Node node_over(RAW first_code, RAW last_code, u32 first, u32 count) {
    const RAW codes = (RAW)(last_code - first_code);
    const int more = __clz(count - 3) - 32 + 64 - __clzll((u64)codes);
    u32 shift = more > 0 ? more : 0;
    while (codes >> shift > count - 3) ++shift;
    const RAW width = (RAW)((RAW)1 << shift), base = first_code > width ? (RAW)(first_code - width) : (RAW)0;
    return {base, shift, (unsigned short)first, (unsigned short)(((RAW)(last_code - base) >> shift) + 1)};
}

// Whether an entry's cells are single codes.
__device__ __forceinline__ bool is_exact(const Node& node, u32 place, u32 word) {
    return !(word >> 24) && place < node.last && (place || !node.base);
}

// How many cells an entry has that leads nowhere.
__device__ __forceinline__ u32 cells_of(const Node& node, u32 place, u32 word) {
    return place == node.last ? 1 : 1u << (node.shift - (word >> 24));
}

__device__ __forceinline__ bool any_flag() {
    return __syncthreads_or(threadIdx.x < THREADS * IN_LEVEL / LANES && flags[threadIdx.x]);
}

// Calls body(code, spot, place of the votes) for the codes of heavy cells, the numbers of which are in the bins.
template <class Body>
__device__ __forceinline__ void each_heavy(const RAW* sample, u32 level, Body body) {
    const Node root = nodes[0];
    each_sampled<1>(sample, [&](RAW code) {
        const Spot spot = spot_of(code, level, root);
        const u32 cell = spot.node < level ? NONE : bins[cell_in(entries[spot.entry], spot.x)];
        if (cell != NONE) body(code, spot, VOTES * cell);
    });
}

// Leaves flags only to entries with a cell that is very heavy, or heavy beside its favourites. Of the others, few
// keys would be staged (crowded.cuh), so no key needs a longer way through nodes or pivots. Returns whether flags
// are left; all are if there is no room for the votes behind the bins. Fewer than PIVOTS cells are heavy.
__device__ bool flag_unfavoured(const RAW* sample, u32 level) {
    __shared__ u32 heavy;
    const u32 first = nodes[level].first, each = (cells_here + THREADS - 1) / THREADS, from = each * threadIdx.x;
    u32 own = 0, *votes = bins + cells_here;
    for (u32 i = from; i < from + each && i < cells_here; ++i) own += bins[i] > HEAVY;
    u32 slot = before_in_block(own);
    if (threadIdx.x == THREADS - 1) heavy = slot + own;
    __syncthreads();
    if (cells_here + VOTES * heavy > CELLS) return true;
    for (u32 i = from; i < from + each && i < cells_here; ++i) bins[i] = bins[i] > HEAVY ? slot++ : NONE;
    for (u32 i = threadIdx.x; i < VOTES * heavy; i += THREADS) votes[i] = 0;
    if (threadIdx.x < THREADS * IN_LEVEL / LANES) flags[threadIdx.x] = 0;
    __syncthreads();
    each_heavy(sample, level, [&](RAW code, const Spot&, u32 at) { atomicAdd(&votes[at + vote_of(code)], 1); });
    __syncthreads();
    if (threadIdx.x < heavy) {
        u32* of_cell = votes + VOTES * threadIdx.x;
        const Election found(of_cell);
        of_cell[0] = found.all > SAMPLED / FREQUENT || found.all - found.won > HEAVY / 2;
    }
    __syncthreads();
    each_heavy(sample, level, [&](RAW, const Spot& spot, u32 at) {
        const u32 place = spot.entry - first;
        const Node& node = nodes[spot.node];
        if (votes[at] && !is_exact(node, spot.entry - node.first, entries[spot.entry]))
            atomicOr(&flags[place / LANES], 1u << place % LANES);
    });
    __syncthreads();
    return any_flag();
}

// Divides the entries of the nodes from `level` on into cells; returns whether some have a flag.
__device__ bool divide(const RAW* sample, u32 level) {
    const Node root = nodes[0];
    const u32 first = nodes[level].first, count = entries_here - first;
    const u32 mine = IN_LEVEL * threadIdx.x;
    for (u32 i = threadIdx.x; i < THREADS * IN_LEVEL; i += THREADS) bins[i] = 0;
    if (threadIdx.x < THREADS * IN_LEVEL / LANES) flags[threadIdx.x] = 0;
    __syncthreads();
    each_sampled(sample, [&](RAW code) {
        const Spot spot = spot_of(code, level, root);
        if (spot.node >= level) atomicAdd(&bins[spot.entry - first], 1);
    });
    __syncthreads();
    u32 shift[IN_LEVEL], cells[IN_LEVEL], sum = 0;
#pragma unroll
    for (u32 i = 0; i < IN_LEVEL; ++i) {
        cells[i] = 0;
        if (mine + i >= count) continue;
        const u32 entry = first + mine + i;
        const Node& node = nodes[owner[entry]];
        const u32 wanted = (u32)((u64)bins[mine + i] * AIM / SAMPLED);
        const u32 bits = wanted ? 31 - __clz(wanted) : 0;
        const bool is_last = entry - node.first == node.last;
        shift[i] = is_last ? ONE_CELL : node.shift > bits ? node.shift - bits : 0;
        cells[i] = cells_of(node, entry - node.first, shift[i] << 24), sum += cells[i];
    }
    u32 start = before_in_block(sum);
    __syncthreads();
#pragma unroll
    for (u32 i = 0; i < IN_LEVEL; ++i) {
        if (mine + i >= count) continue;
        const u32 entry = first + mine + i;
        const Node& node = nodes[owner[entry]];
        entries[entry] = divided(node, entry - node.first, shift[i], start), start += cells[i];
    }
    if (threadIdx.x == THREADS - 1) cells_here = start;
    for (u32 i = threadIdx.x; i < CELLS; i += THREADS) bins[i] = 0;
    __syncthreads();
    each_sampled(sample, [&](RAW code) {
        const Spot spot = spot_of(code, level, root);
        if (spot.node < level) return;
        const Node& node = nodes[spot.node];
        const u32 word = entries[spot.entry];
        if (atomicAdd(&bins[cell_in(word, spot.x)], 1) == HEAVY && !is_exact(node, spot.entry - node.first, word))
            atomicOr(&flags[(spot.entry - first) / LANES], 1u << (spot.entry - first) % LANES);
    });
    __syncthreads();
    return any_flag() && flag_unfavoured(sample, level);
}

// Gives the entries with flags pivots, or nodes as far as there is room; returns whether there are new nodes. Each is
// heavier than 1 in PIVOTS keys of the sample, so every thread has one at most.
__device__ bool add_nodes(const RAW* sample, u32 level) {
    const Node root = nodes[0];
    const u32 first = nodes[level].first, mine = IN_LEVEL * threadIdx.x;
    const u32 own = flags[mine / LANES] >> mine % LANES & ((1u << IN_LEVEL) - 1);
    u64 *low = lows(), *high = highs();
    u32 slot = before_in_block((u32)__popc(own));
    __syncthreads();  // before_in_block is called again
#pragma unroll
    for (u32 i = 0; i < IN_LEVEL; ++i) {
        const bool has = own >> i & 1;
        bins[mine + i] = has ? slot : NONE;
        if (has) heavy_entries()[slot++] = first + mine + i;
    }
    low[threadIdx.x] = ~0ull, high[threadIdx.x] = 0;
    __shared__ u32 heavy;
    if (threadIdx.x == THREADS - 1) heavy = slot;
    __syncthreads();
    each_sampled<1>(sample, [&](RAW code) {
        const Spot spot = spot_of(code, level, root);
        if (spot.node < level || bins[spot.entry - first] == NONE) return;
        const u32 at = bins[spot.entry - first];
        atomicMin(&low[at], (u64)code), atomicMax(&high[at], (u64)code);
    });
    __syncthreads();
    const u32 used = entries_here, known = nodes_here, before = pivots_here;
    const RAW first_code = (RAW)low[threadIdx.x], last_code = (RAW)high[threadIdx.x];
    const bool is_heavy = threadIdx.x < heavy, one = is_heavy && first_code == last_code;
    const u32 several = __syncthreads_count(is_heavy && !one), entry = heavy_entries()[threadIdx.x];
    const u32 pivot = before + before_in_block((u32)one);
    if (one) entries[entry] = PIVOT | pivot << 16, pivots[pivot] = first_code;
    const u32 share = (ENTRIES - used) / 2 / (several ? several : 1);
    __syncthreads();
    if (threadIdx.x == THREADS - 1) pivots_here = pivot + one;
    const u32 node = known + before_in_block((u32)(is_heavy && !one));
    const bool gets = is_heavy && !one && share >= LEAST && node < NODES;
    const u32 most = share < LEAST ? LEAST : 1u << (31 - __clz(share));
    Node made = node_over(first_code, gets ? last_code : first_code, 0, most < EACH ? most : EACH);
    const u32 count = gets ? made.last + 1 : 0;
    __syncthreads();
    const u32 from = used + before_in_block(count);
    if (gets) {
        made.first = (unsigned short)from, nodes[node] = made;
        for (u32 j = 0; j < count; ++j) entries[from + j] = 0, owner[from + j] = (unsigned char)node;
        entries[entry] = INNER | node;
    }
    const u32 added = __syncthreads_count(gets);
    if (threadIdx.x == THREADS - 1) entries_here = from + count, nodes_here = known + added;
    __syncthreads();
    return added;
}

#include "cells_numbered.cuh"

extern "C" __global__ void __launch_bounds__(THREADS)
    cells_built(const RAW* keys, u64 n, RAW* sample, Tree* tree, u32* ticket) {
    const u64 thread = (u64)blockIdx.x * THREADS + threadIdx.x, threads = (u64)gridDim.x * THREADS;
    Load loaded = sampled_load(keys, n, thread, threads);
#pragma unroll
    for (u32 k = 0; k < PER_LOAD; ++k) loaded.keys[k] = encode(loaded.keys[k]);
    ((uint4*)sample)[thread] = loaded.words;
    if (!comes_last(ticket)) return;

    __shared__ u32 level_start[LEVELS + 1];
    u64 *low = lows(), *high = highs();
    if (!threadIdx.x) low[0] = ~0ull, high[0] = 0;
    __syncthreads();
    RAW least = (RAW)~(RAW)0, most = 0;
    each_sampled(sample, [&](RAW code) {
        if (FLOATING && code == (RAW)~(RAW)0) return;
        least = code < least ? code : least, most = code > most ? code : most;
    });
    const u64 least_of_warp = warp_least((u64)least), most_of_warp = ~warp_least(~(u64)most);
    if (!(threadIdx.x % LANES)) atomicMin(&low[0], least_of_warp), atomicMax(&high[0], most_of_warp);
    __syncthreads();
    if (!threadIdx.x) {
        const bool none = low[0] > high[0];  // every key of the sample is a NaN
        const RAW last = (RAW)~(RAW)0;
        nodes[0] = none ? node_over(last, last, 0, ROOT) : node_over((RAW)low[0], (RAW)high[0], 0, ROOT);
        nodes_here = 1, entries_here = nodes[0].last + 1, pivots_here = 0;
        level_start[0] = 0, level_start[1] = 1;
    }
    for (u32 i = threadIdx.x; i < ROOT; i += THREADS) entries[i] = 0, owner[i] = 0;
    __syncthreads();
    u32 levels = 1;
    while (divide(sample, level_start[levels - 1]) && levels < LEVELS &&
           add_nodes(sample, level_start[levels - 1])) {
        ++levels;
        if (!threadIdx.x) level_start[levels] = nodes_here;
        __syncthreads();
    }
    __syncthreads();
    if (levels > 1 || pivots_here) number(level_start, levels);
    for (u32 i = threadIdx.x; i < nodes_here; i += THREADS) tree->node[i] = nodes[i];
    for (u32 i = threadIdx.x; i < entries_here; i += THREADS) tree->entry[i] = entries[i];
    for (u32 i = threadIdx.x; i < pivots_here; i += THREADS) tree->pivot[i] = pivots[i];
    if (threadIdx.x) return;
    tree->cells = cells_here, tree->nodes_used = nodes_here;
    tree->entries_used = entries_here, tree->pivots_used = pivots_here;
}
