// Random places, the same on every device (shadersort/selection/primitives/sampling.py).

__device__ __forceinline__ u64 place_of(u64 start, u32 draw, u64 n) {
    u64 mixed = (start + draw + 1) * 0x9e3779b97f4a7c15ull;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9ull;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebull;
    return (mixed ^ mixed >> 31) % n;
}
