// Pieces of the keys, on several devices. Every device reads its own pieces only. What they share is in the memory of
// the first device: each launch there or on all devices is a step, and events order them (modern/cards/launches.py).

#define PIECES 1
#include "keys.cuh"
#include "sampled_load.cuh"

#define MOST_PIECES 16  // of a launch: one card may have several launches in each step

struct Piece {
    const RAW* keys;
    u64 n, start;  // the keys of all pieces before it, on any device
};

// The pieces of a launch: a source of their codes. It is passed by value.
struct Pieces {
    u64 count;
    Piece list[MOST_PIECES];
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
        ROLLED for (u64 i = 0; i < count; ++i) for_each_key(list[i].keys, list[i].n, [&](RAW bits) { body(encode(bits)); });
    }
};
