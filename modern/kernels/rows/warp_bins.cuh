// A histogram of a range of codes, by a warp: of 4 * LANES bins, each lane has four neighbouring ones.

#define WARP_BINS (4 * LANES)

// The bins of keys in a range of codes: equal parts of it, for floats in their values.
struct Spread {
    Compared low;
#if FLOATING
    static const u32 FIRST = 0x4b000000;  // the number of the first bin: 2²³, as the bits of a float
    float scale;
    __device__ __forceinline__ Spread(const Codes& known) : low(compared_of(known.first)) {
        const float wide = (float)(compared_of(known.last) - low);
        scale = wide > 1e-35f && wide < 1e35f ? __fdividef(WARP_BINS - 1, wide) : 0;
    }
    __device__ __forceinline__ bool is_usable() const { return scale > 0; }
    // Adding 2²³ rounds to a whole number, in the lowest bits.
    __device__ __forceinline__ u32 bin(Compared value) const {
        return __float_as_uint(fmaf((float)(value - low), scale, 8388608.0f));
    }
#else
    static const u32 FIRST = 0;
    u32 shift;
    __device__ __forceinline__ Spread(const Codes& known) : low(compared_of(known.first)) {
        const u32 wide = 64 - __clzll((u64)(RAW)(known.last - known.first)), bits = 31 - __clz(WARP_BINS);
        shift = wide > bits ? wide - bits : 0;
    }
    __device__ __forceinline__ bool is_usable() const { return true; }
    __device__ __forceinline__ u32 bin(Compared value) const {
        return (u32)((RAW)((RAW)value - (RAW)low) >> shift);
    }
#endif
};

// A bin, and how many keys are before it and in it.
struct Bin {
    u32 number, before, here;
};

// The bin of a rank, given the counters of this lane and the keys before them: at most 1,024 keys in all.
__device__ __forceinline__ Bin bin_of(u32 at, const uint4& own, u32 before) {
    const u32 inside = at - before, two = own.x + own.y, three = two + own.z;
    const bool second = inside >= own.x, third = inside >= two, fourth = inside >= three;
    const u32 number = fourth ? 3 : third ? 2 : second ? 1 : 0;
    const u32 start = fourth ? three : third ? two : second ? own.x : 0;
    const u32 here = fourth ? own.w : third ? own.z : second ? own.y : own.x;
    const u32 mine = 4 * lane_of() + number | (before + start) << 8 | here << 20;
    const u32 packed = __shfl_sync(FULL, mine, 31 - __clz(__ballot_sync(FULL, inside < three + own.w)));
    return {packed & 0xff, packed >> 8 & 0xfff, packed >> 20};
}
