// Pieces of the keys, on several devices. Every device reads its own pieces only. What they share is in the memory of
// the first device: each launch there or on all devices is a step, and events order them (modern/cards/launches.py).

#define PIECES 1
#include "keys.cuh"
#include "sampled_load.cuh"

struct Piece {
    const RAW* keys;
    u64 n, start;  // the keys of all pieces before it, on any device
};
