// A sample: each thread takes loads of 16 bytes, each at a hashed place in a part of its own
// (`sample_places` in shadersort/selection/primitives/one_read.py).

// The load at a hashed place in a part of the keys. TOGETHER parts share a place, and take neighbouring loads there.
// With POWER, there are 2^n parts: a division of 64 bits takes a hundred instructions.
template <u32 TOGETHER = 1, bool POWER = false>
__device__ __forceinline__ Load sampled_load(const RAW* keys, u64 n, u64 part, u64 parts) {
    const u64 head = head_of(keys, n), loads = (n - head) / PER_LOAD / TOGETHER;
    const u64 own = part % TOGETHER;
    part /= TOGETHER, parts /= TOGETHER;
    const auto begin = [&](u64 i) { return POWER ? i * loads >> (31 - __clz((u32)parts)) : i * loads / parts; };
    const u64 first = begin(part), stride = begin(part + 1) - first;
    u64 mixed = (part + 1) * 0x9e3779b97f4a7c15ull;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9ull;
    mixed ^= mixed >> 27;
    Load sample;
    sample.words = __ldg((const uint4*)(keys + head) + TOGETHER * (first + ((mixed >> 32) * stride >> 32)) + own);
    return sample;
}
