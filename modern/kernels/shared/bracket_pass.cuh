// The one read of `one-read`: counts keys below and above a bracket, and stages those inside
// (staging.cuh).

#include "staging.cuh"
#include "sampled_bracket.cuh"

#define LISTS ((RAW*)(memory + BINS / 2))  // entry i of a thread is LISTS[i * THREADS + threadIdx.x]
#define ROW (THREADS * KEY_BYTES)          // bytes between two entries of a list

struct Spill {
    RAW* keys;
    u64 room;
    u64* count;  // may exceed the room
};

// What one thread counts. No comparison with a NaN is true, so `numbers` leaves NaNs out. The macros that
// begin with PTX name a type of the assembler: each count is a comparison, and an addition if it is true.
template <bool TIED>
struct Counted {
    VALUE low, high;
    u32 start, end;  // of the own list: addresses in shared memory
    u32 moved = 0;   // keys that were moved out of it
    u32 below = 0, upto_low = 0, upto = 0, numbers = 0;
    const Spill& spill;

    __device__ __forceinline__ Counted(VALUE low, VALUE high, const Spill& spill)
        : low(low), high(high), spill(spill) {
        start = end = (u32)__cvta_generic_to_shared(LISTS + threadIdx.x);
    }

    __device__ __forceinline__ u32 held() const { return (end - start) / ROW; }

    __device__ __forceinline__ void look(RAW bits, u32) {
        const VALUE value = value_of(bits);
        const Stored stored = bits;
        if (TIED)
            asm volatile(
                "{ .reg .pred p, q;\n"
                "setp.lt." PTX_TYPE " p, %4, %5;\n@p add.u32 %0, %0, 1;\n"
                "setp.le." PTX_TYPE " p, %4, %5;\n@p add.u32 %1, %1, 1;\n"
                "setp.le." PTX_TYPE " p, %4, %6;\n@p add.u32 %2, %2, 1;\n"
                "setp.gt." PTX_TYPE " p, %4, %5;\nsetp.lt.and." PTX_TYPE " q, %4, %6, p;\n"
                "@q st.shared." PTX_BITS " [%3], %7;\n@q add.u32 %3, %3, %8; }"
                : "+r"(below), "+r"(upto_low), "+r"(upto), "+r"(end)
                : PTX_VALUE(value), PTX_VALUE(low), PTX_VALUE(high), PTX_RAW(stored), "n"(ROW)
                : "memory");
        else
            asm volatile(
                "{ .reg .pred p, q;\n"
                "setp.le." PTX_TYPE " p, %2, %4;\n@p add.u32 %0, %0, 1;\n"
                "setp.ge.and." PTX_TYPE " q, %2, %3, p;\n"
                "@q st.shared." PTX_BITS " [%1], %5;\n@q add.u32 %1, %1, %6; }"
                : "+r"(upto), "+r"(end)
                : PTX_VALUE(value), PTX_VALUE(low), PTX_VALUE(high), PTX_RAW(stored), "n"(ROW)
                : "memory");
#if FLOATING
        asm volatile(
            "{ .reg .pred p;\nsetp.num." PTX_TYPE " p, %1, %1;\n@p add.u32 %0, %0, 1; }"
            : "+r"(numbers)
            : PTX_VALUE(value));
#endif
    }

    __device__ __forceinline__ void alone(RAW bits, u64) { look(bits, 0); }

    __device__ __forceinline__ void make_room() {
        if (!__any_sync(FULL, end - start > (CAPACITY - ROOM_LEFT) * ROW)) return;
        spill_lists(LISTS + threadIdx.x, held(), spill.room, spill.count,
                    [&](u64 at, RAW bits) { spill.keys[at] = bits; });
        moved += held(), end = start;
    }
};

// Adds a number of each thread to a total.
__device__ __forceinline__ void add_of_block(u32 mine, u64* total) {
    __shared__ u64 of_block;
    const u64 of_warp = warp_sum((u64)mine);
    __syncthreads();
    if (!threadIdx.x) of_block = 0;
    __syncthreads();
    if (!(threadIdx.x % LANES) && of_warp) atomicAdd(&of_block, of_warp);
    __syncthreads();
    if (!threadIdx.x && of_block) atomicAdd(total, of_block);
}
