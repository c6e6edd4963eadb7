// Two steps of quantiles of rows, one thread for each quantile of a row (shadersort/selection/quantile_plan.py). No
// operations are contracted: the bits are NumPy's.
//
// STEP 0: the ranks below and above each quantile, and the share of the difference that is added to the lower key, or
// if negative to the upper one; from the number of numbers of the row. The words are the quantiles, as bits of doubles;
// METHOD numbers NumPy's 13 methods in the order of QUANTILE_METHODS. Ranks are (ranks, rows), shares (count, rows).
// STEP 1: mixes keys (ranks, rows) to answers (count, rows). With EACH, each row has shares of its own; otherwise
// `table` has the places of the lower and the upper keys, and the bits of the shares. REAL is the type of the shares;
// WEAK: they take the type of the keys. STEPPED: there are no shares. ROUNDS: answers about bfloat16 are rounded to it.

#include "keys.cuh"

// Quantiles of a launch, from the one numbered `from` on, and what each of them needs, by value.
#define MOST 149

struct Words {
    long long word[3 * MOST];
};

// The type that computes, and in step 1 that of the answers: what NumPy's promotion makes of keys and shares.
#define OF_KEYS (REAL_BYTES == 8 && !(WEAK && FLOATING) || FLOATING == 52 || !FLOATING && KEY_BYTES > 2)
#if STEP == 0 && REAL_BYTES == 8 || STEP == 1 && OF_KEYS
typedef double Number;
__device__ __forceinline__ Number add(Number a, Number b) { return __dadd_rn(a, b); }
__device__ __forceinline__ Number mul(Number a, Number b) { return __dmul_rn(a, b); }
#else
typedef float Number;
__device__ __forceinline__ Number add(Number a, Number b) { return __fadd_rn(a, b); }
__device__ __forceinline__ Number mul(Number a, Number b) { return __fmul_rn(a, b); }
#endif

#if STEP == 0
typedef Number Real;
__device__ __forceinline__ Real position_of(Real n, Real q) {
    const double alphas[] = {3.0 / 8, 0, 0.5, 0, 1.0 / 3}, betas[] = {3.0 / 8, 1, 0.5, 0, 1.0 / 3};  // methods 10, 6 to 9
    const double alpha = alphas[METHOD % 5], beta = betas[METHOD % 5];  // Hyndman and Fan's plotting parameters
    const Real linear = mul(add(n, (Real)-1), q), share = add(mul(n, q), (Real)-1);
    if (METHOD == 12) return mul((Real)0.5, add((Real)floor(linear), (Real)ceil(linear)));
    if (METHOD >= 6 && METHOD <= 10)
        return add(add(mul(n, q), add((Real)alpha, mul(q, (Real)(1 - alpha - beta)))), (Real)-1);
    return METHOD == 1 ? add(share, (Real)-0.5) : METHOD == 0 || METHOD == 11 ? share : linear;
}

extern "C" __global__ void quantiles(const long long* numbers, long long* ranks, Real* shares, u64 count, u64 rows,
                                     u64 from, const __grid_constant__ Words words) {
    const u64 i = from * rows + (u64)blockIdx.x * blockDim.x + threadIdx.x, row = i % rows, which = i / rows;
    if (which >= count || which - from >= MOST) return;
    const long long numbered = numbers[row] > 0 ? numbers[row] : 1, most = numbered - 1;
    const Real n = (Real)numbered, position = position_of(n, (Real)__longlong_as_double(words.word[which - from])), before = (Real)floor(position);
    Real lower = before, upper = before + 1, gamma = add(position, -before);
    if (METHOD < 5) {
        const bool even = add(before, -mul((Real)2, (Real)floor(mul(before, (Real)0.5)))) == 0;
        const bool down = position == before && (METHOD == 0 || !even);
        if (METHOD < 2) lower = down ? before : before + 1;
        if (METHOD == 3) lower = (Real)ceil(position);
        if (METHOD == 4) lower = (Real)rint(position);
        lower = lower < 0 ? 0 : lower > n - 1 ? n - 1 : lower;
        ranks[i] = (long long)lower < most ? (long long)lower : most;
        return;
    }
    const bool first = position < 0, last = position >= n - 1;
    if (last) gamma = add(position, (Real)1), lower = upper = n - 1;
    else if (first) gamma = position, lower = upper = 0;
    if (METHOD == 11) gamma = gamma == 0 ? (Real)0.5 : (Real)1;
    if (METHOD == 12) gamma = position == before ? (Real)0 : (Real)0.5;
    ranks[i] = (long long)lower < most ? (long long)lower : most;
    ranks[count * rows + i] = (long long)upper < most ? (long long)upper : most;
    shares[i] = gamma >= (Real)0.5 ? -add((Real)1, -gamma) : gamma;
}
#else
#if !OF_KEYS && (FLOATING == 7 && ROUNDS || FLOATING == 10 && WEAK)
typedef RAW Answer;
__device__ __forceinline__ Answer answer_of(Number number) { return bits_of(number); }
#else
typedef Number Answer;
__device__ __forceinline__ Answer answer_of(Number number) { return number; }
#endif

// The float that is rounded to the nearest half as the double is: of an inexact one, the last bit is set.
__device__ __forceinline__ float round_to_odd(double number) {
    const float near = (float)number;
    const u32 bits = __float_as_uint(near) - (fabs((double)near) > fabs(number));
    return __uint_as_float(bits | ((double)near != number));
}

// A result of NumPy's arithmetic of halves.
__device__ __forceinline__ Number round_half(Number number, bool half) {
    return FLOATING == 10 && half ? (Number)value_of(bits_of((float)number)) : number;
}

__device__ __forceinline__ Answer mix(RAW low, RAW high, double share) {
#if FLOATING == 52
    const Number apart = add(value_of(high), -value_of(low));
#elif FLOATING == 10 || FLOATING == 7 && !ROUNDS
    const Number apart = (Number)value_of(bits_of(__fadd_rn(value_of(high), -value_of(low))));
#elif FLOATING
    const Number apart = (Number)__fadd_rn(value_of(high), -value_of(low));
#else
    const Number apart = (Number)value_of((RAW)(high - low));
#endif
    const Number own = (Number)value_of(__double_as_longlong(share) < 0 ? high : low);
    const Number product = round_half(mul(apart, round_half(FLOATING == 10 && WEAK ? (Number)round_to_odd(share) : (Number)share, WEAK)), WEAK);
    return answer_of(round_half(add(own, product), WEAK));
}

extern "C" __global__ void quantiles(const RAW* keys, const void* shares, void* answers, u64 count, u64 rows, u64 from,
                                     const __grid_constant__ Words words) {
    const u64 i = from * rows + (u64)blockIdx.x * blockDim.x + threadIdx.x, row = i % rows, which = i / rows;
    if (which >= count || which - from >= MOST) return;
    const RAW* own = keys + row;
    const long long* mine = words.word + (EACH ? 0 : 3 * (which - from));
    const RAW low = own[(EACH ? which : mine[0]) * rows];
#if STEPPED
    ((RAW*)answers)[i] = low;
#else
    const RAW high = own[(EACH ? count + which : mine[1]) * rows];
    double share = EACH ? 0 : __longlong_as_double(mine[2]);
    if (EACH) share = REAL_BYTES == 4 ? (double)((const float*)shares)[i] : ((const double*)shares)[i];
    ((Answer*)answers)[i] = mix(low, high, share);
#endif
}
#endif
