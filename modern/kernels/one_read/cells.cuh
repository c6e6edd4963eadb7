// Cells: ranges of codes with about equal numbers of keys, found by tables inside each other
// (shadersort/selection/primitives/cells.py, which has the same names and numbers).
//
// An entry of a table is a word of one of three kinds:
//   divided into cells of 2**shift codes: the shift is in the upper 8 bits. The lower 16 bits are what is added
//     to a shifted code to get its cell, modulo 2**16;
//   INNER: it leads to a node, whose number is in the lower 16 bits;
//   PIVOT: the number of a pivot is in the 14 bits before the lower 16, which have the cell below the pivot.

#define ROOT 4096u
#define ENTRIES 8192u
#define NODES 256u
#define PIVOTS 1024u
#define CELLS (AIM + ENTRIES)
#define INNER 0x80000000u
#define PIVOT 0xc0000000u
#define ONE_CELL 64u  // a shift that leaves nothing

struct __align__(16) Node {
    RAW base;
    u32 shift;
    unsigned short first, last;
};

// What tables need in the memory of the device.
struct Tree {
    u32 cells, nodes_used, entries_used, pivots_used;
    Node node[NODES];
    u32 entry[ENTRIES];
    RAW pivot[PIVOTS];
};

// The tables in shared memory, and the memory behind them.
extern __shared__ u64 memory[];
#define nodes ((Node*)memory)
#define entries ((u32*)(nodes + NODES))
#define pivots ((RAW*)(entries + ENTRIES))
#define BEHIND (pivots + PIVOTS)

// How far a code is beyond the base of a node; 0 if it is below.
__device__ __forceinline__ RAW beyond(RAW code, RAW base) {
    return (code > base ? code : base) - base;
}

// The place of the entry that a code beyond the base has.
__device__ __forceinline__ u32 place_in(const Node& node, RAW x) {
    const RAW place = x >> node.shift;
    return place < node.last ? (u32)place : node.last;
}

// The lower bits of x >> shift; 0 if the shift leaves nothing, unlike in C++.
__device__ __forceinline__ u32 shifted(RAW x, u32 shift) {
#if KEY_BYTES == 8
    u64 found;
    asm("shr.u64 %0, %1, %2;" : "=l"(found) : "l"(x), "r"(shift));
#else
    u32 found;
    asm("shr.u32 %0, %1, %2;" : "=r"(found) : "r"((u32)x), "r"(shift));
#endif
    return (u32)found;
}

__device__ __forceinline__ u32 cell_in(u32 entry, RAW x) {
    return (shifted(x, entry >> 24) + entry) & 0xffff;
}

__device__ __forceinline__ bool has_pivot(u32 entry) { return entry >= PIVOT; }

__device__ __forceinline__ u32 cell_at_pivot(u32 entry, RAW code) {
    const RAW pivot = pivots[entry >> 16 & (PIVOTS - 1)];
    return (entry + (code >= pivot) + (code > pivot)) & 0xffff;
}

// The word that divides an entry, the cells of which begin at `first`.
__device__ __forceinline__ u32 divided(const Node& node, u32 place, u32 shift, u32 first) {
    const u32 start = place == node.last ? 0 : shifted((RAW)((RAW)place << node.shift), shift);
    return shift << 24 | ((first - start) & 0xffff);
}

// The code of a number; a NaN may get any code before that of −inf, or after that of inf.
__device__ __forceinline__ RAW code_of_number(RAW bits) {
#if FLOATING
    const RAW negative = bits & SIGN ? (RAW)~(RAW)0 : 0;
    return (RAW)((((bits & (RAW)(SIGN - 1)) ^ negative) - negative) + SIGN);
#else
    return encode(bits);
#endif
}

// The cells of keys, by all threads of a block. Three entries of the root are not used as they are: the ends,
// and the one with inf. So a NaN is looked up again by its code, and all other keys need no test for NaN.
struct Lookup {
    Node root;
    u32 of_nan, places[3], words[3];

    __device__ __forceinline__ explicit Lookup(const Tree* tree) {
        for (u32 i = threadIdx.x; i < tree->nodes_used; i += blockDim.x) nodes[i] = tree->node[i];
        for (u32 i = threadIdx.x; i < tree->entries_used; i += blockDim.x) entries[i] = tree->entry[i];
        for (u32 i = threadIdx.x; i < tree->pivots_used; i += blockDim.x) pivots[i] = tree->pivot[i];
        __syncthreads();
        root = nodes[0];
        places[0] = 0, places[1] = root.last, places[2] = root.last;
#if FLOATING
        places[2] = place_in(root, beyond(encode(INFINITE), root.base));
#endif
#pragma unroll
        for (int i = 0; i < 3; ++i) words[i] = entries[places[i]];
        __syncthreads();
        if (!threadIdx.x) entries[places[0]] = entries[places[1]] = entries[places[2]] = INNER;
        __syncthreads();
        of_nan = (*this)((RAW)~(RAW)0);
    }

    // The cell of a code that is beyond the base of the node with its entry.
    __device__ __forceinline__ u32 inside(u32 entry, RAW x, RAW code) const {
        while ((entry & PIVOT) == INNER) {
            const Node node = nodes[entry & 0xffff];
            x = beyond(code, node.base);
            entry = entries[node.first + place_in(node, x)];
        }
        return has_pivot(entry) ? cell_at_pivot(entry, code) : cell_in(entry, x);
    }

    // The entry that a place of the root has, given what the table has there.
    __device__ __forceinline__ u32 entry_at(u32 place, u32 entry) const {
#pragma unroll
        for (int i = 0; i < 3; ++i)
            if (place == places[i]) entry = words[i];
        return entry;
    }

    __device__ __forceinline__ u32 operator()(RAW code) const {
        const RAW x = beyond(code, root.base);
        const u32 place = place_in(root, x);
        return inside(entry_at(place, entries[place]), x, code);
    }

    // Calls body(bits, cell) for the keys of a load.
    template <class Body>
    __device__ __forceinline__ void of_load(const Load& loaded, Body body) const {
        RAW x[PER_LOAD];
        u32 entry[PER_LOAD], any = 0;
#pragma unroll
        for (u32 k = 0; k < PER_LOAD; ++k) {
            x[k] = beyond(code_of_number(loaded.keys[k]), root.base);
            any |= entry[k] = entries[place_in(root, x[k])];
        }
        if (!(any & INNER)) {
#pragma unroll
            for (u32 k = 0; k < PER_LOAD; ++k) body(loaded.keys[k], cell_in(entry[k], x[k]));
            return;
        }
        while (go_inside(loaded, x, entry)) {}
        u32 cells[PER_LOAD];
        if (!cells_beside_nans<false>(loaded, x, entry, cells) && !cells_beside_nans<true>(loaded, x, entry, cells)) {
#pragma unroll
            for (u32 k = 0; k < PER_LOAD; ++k) {
                const RAW code = encode(loaded.keys[k]);
                cells[k] = of_nan;
                if (!FLOATING || code != (RAW)~(RAW)0) {
                    if (entry[k] == INNER) entry[k] = entry_at(place_in(root, beyond(code, root.base)), INNER);
                    cells[k] = inside(entry[k], x[k], code);
                }
            }
        }
#pragma unroll
        for (u32 k = 0; k < PER_LOAD; ++k) body(loaded.keys[k], cells[k]);
    }

    // Whether an entry leads to a node; the entries that are not used as they are do not.
    __device__ __forceinline__ static bool leads_inside(u32 entry) { return entry - (INNER + 1) < PIVOT - (INNER + 1); }

    // Follows the entries that lead to nodes, without a branch for each key. Returns whether some have to be followed.
    __device__ __forceinline__ bool go_inside(const Load& loaded, RAW (&x)[PER_LOAD], u32 (&entry)[PER_LOAD]) const {
        bool any = false;
#pragma unroll
        for (u32 k = 0; k < PER_LOAD; ++k) any = any || leads_inside(entry[k]);
        if (!any) return false;
        any = false;
#pragma unroll
        for (u32 k = 0; k < PER_LOAD; ++k) {
            const bool leads = leads_inside(entry[k]);
            const Node node = nodes[leads ? entry[k] & 0xffff : 0];
            const RAW further = beyond(code_of_number(loaded.keys[k]), node.base);
            const u32 next = entries[node.first + place_in(node, further)];
            x[k] = leads ? further : x[k], entry[k] = leads ? next : entry[k];
            any = any || leads_inside(entry[k]);
        }
        return any;
    }

    // Finds the cells of the keys of a load if they are NaNs, in divided entries or, with AT_PIVOTS, in entries with a
    // pivot: without a branch for each key. Returns whether they are.
    template <bool AT_PIVOTS>
    __device__ __forceinline__ bool cells_beside_nans(const Load& loaded, const RAW (&x)[PER_LOAD],
                                                      const u32 (&entry)[PER_LOAD], u32 (&cells)[PER_LOAD]) const {
        if (!FLOATING && !AT_PIVOTS) return false;
        u32 others = 0;
#pragma unroll
        for (u32 k = 0; k < PER_LOAD; ++k) {
            const RAW bits = loaded.keys[k];
            const bool nan = is_nan(bits), pivot = AT_PIVOTS && has_pivot(entry[k]);
            u32 cell = cell_in(entry[k], x[k]);
            if (AT_PIVOTS) {
                const u32 at_pivot = cell_at_pivot(entry[k], code_of_number(bits));
                cell = pivot ? at_pivot : cell;
            }
            others |= nan || pivot ? 0 : entry[k];
            cells[k] = nan ? of_nan : cell;
        }
        return !(others & INNER);
    }
};
