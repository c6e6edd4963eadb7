// Symbols of 16 bits, each with a counter of 16 bits in shared memory: a key of 2 bytes is a symbol, and so
// are two neighbouring keys of 1 byte.

#define SYMBOLS 65536
#define WORDS (SYMBOLS / 2)  // of two counters

// Where a word stands: otherwise floats of small whole numbers, whose last bits are 0, would all be in one
// bank of shared memory.
__device__ __forceinline__ u32 word_of(u32 symbol) {
    const u32 word = symbol / 2;
    return word ^ (word >> 4 & 31);
}
