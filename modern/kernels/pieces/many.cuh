// Many ranks of pieces: what the steps share.

#include "piece.cuh"
#include "cell_steps.cuh"

#define GROUP 128  // ranks that are found together, at most

// What a launch counts, in its own device's memory. `ticket` and `totals` are 0 before and after.
struct Own {
    u32 ticket, whole;  // whether ranges are whole cells
    u64 totals[CELLS];
    u64 ends[APART * GROUP];  // of the ranges, behind the keys that this device has staged
};

// What a launch tells the first device, in that one's memory; and where its keys of each range begin there.
struct Told {
    u64 totals[CELLS], starts[GROUP];
};

// Sets the table that the first device has found.
__device__ __forceinline__ void load_table(Table& table, const Common* common, u64 sampled) {
    table.span(common->zero);
    divide(table, common, sampled);
}

// The keys of all pieces of this device, for a looker.
struct LookedAt {
    const Pieces& pieces;
    template <class Looker>
    __device__ __forceinline__ void operator()(Looker& looker) const {
        for (u64 i = 0; i < pieces.count; ++i) look_at_all(pieces.list[i].keys, pieces.list[i].n, looker);
    }
};
