// Lists of keys in shared memory, one of each thread, and counters in registers: by few instructions.

// Adds one where a condition is true, by one instruction. (The compiler adds always, and then chooses.)
__device__ __forceinline__ void add_if(u32& sum, bool condition) {
    asm("{.reg .pred wanted;\n\t"
        "setp.ne.u32 wanted, %1, 0;\n\t"
        "@wanted add.u32 %0, %0, 1;}" : "+r"(sum) : "r"((u32)condition));
}

// An address of shared memory in 32 bits: a lane moves it by one addition, and compares it by one instruction. With
// pointers, the compiler takes twice as many.
template <class Number>
__device__ __forceinline__ u32 address_of(const Number* shared) { return (u32)__cvta_generic_to_shared(shared); }

#if KEY_BYTES == 1
#define OF_KEY ".u8"
#define REGISTER "r"
typedef u32 Register;  // holds a key
#else
#if KEY_BYTES == 2
#define OF_KEY ".u16"
#define REGISTER "h"
#elif KEY_BYTES == 4
#define OF_KEY ".u32"
#define REGISTER "r"
#else
#define OF_KEY ".u64"
#define REGISTER "l"
#endif
typedef RAW Register;
#endif

__device__ __forceinline__ void store(u32 address, RAW bits) {
    asm volatile("st.shared" OF_KEY " [%0], %1;" : : "r"(address), REGISTER((Register)bits) : "memory");
}
__device__ __forceinline__ RAW loaded(u32 address) {
    Register bits;
    asm volatile("ld.shared" OF_KEY " %0, [%1];" : "=" REGISTER(bits) : "r"(address) : "memory");
    return (RAW)bits;
}

// Reads a key that is not needed again if a condition is true: where this is written, without a branch.
__device__ __forceinline__ RAW streamed_if(bool condition, const RAW* key) {
    Register bits = 0;
    asm volatile("{.reg .pred wanted;\n\t"
                 "setp.ne.u32 wanted, %2, 0;\n\t"
                 "@wanted ld.global.cs" OF_KEY " %0, [%1];}" : "+" REGISTER(bits) : "l"(key), "r"((u32)condition));
    return (RAW)bits;
}

// Adds one to a counter; returns what it was.
__device__ __forceinline__ u32 add_one(u32 address) {
    u32 before;
    asm volatile("atom.shared.add.u32 %0, [%1], 1;" : "=r"(before) : "r"(address) : "memory");
    return before;
}

// Puts a word of 32 bits.
__device__ __forceinline__ void store_word(u32 address, u32 word) {
    asm volatile("st.shared.u32 [%0], %1;" : : "r"(address), "r"(word) : "memory");
}
