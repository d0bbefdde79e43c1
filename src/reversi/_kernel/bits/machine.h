/* What compilers and processors name differently: levels, inlining, alignment, counting and finding bits. */
#ifndef REVERSI_BITS_MACHINE_H
#define REVERSI_BITS_MACHINE_H

#include <stdint.h>
#include <string.h>

typedef uint64_t u64;

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#define RV_INLINE static __forceinline
#define RV_APART static __declspec(noinline)
#define RV_ALIGN(n) __declspec(align(n))
#else
#define RV_INLINE static inline __attribute__((always_inline))
#define RV_APART static __attribute__((noinline))
#define RV_ALIGN(n) __attribute__((aligned(n)))
#endif

#ifndef RV_PORTABLE
#if defined(__AVX512VL__) && defined(__AVX512CD__) && defined(__AVX512DQ__)
#define RV_AVX512 1
#endif
#if defined(__AVX2__)
#define RV_AVX2 1
#include <immintrin.h>
#endif
#if defined(__ARM_NEON) && defined(__aarch64__)
#define RV_NEON 1
#include <arm_neon.h>
#endif
#endif /* RV_PORTABLE: the slow twin that every level is checked against */

/* SSE2 is part of x86-64: two words at once where nothing better is used. */
#if !defined(RV_AVX2) && (defined(__SSE2__) || (defined(_M_X64) && !defined(_M_ARM64EC)))
#define RV_SSE2 1
#include <emmintrin.h>
#endif

/* --- counting and finding bits ------------------------------------------------------------------------------- */

#if defined(__GNUC__) || defined(__clang__)
RV_INLINE int rv_first(u64 x) { return __builtin_ctzll(x); } /* x != 0 */
RV_INLINE int rv_last(u64 x) { return 63 - __builtin_clzll(x); } /* x != 0 */
RV_INLINE void rv_prefetch(const void *at) { __builtin_prefetch(at); }
#elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_ARM64))
RV_INLINE int rv_first(u64 x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
RV_INLINE int rv_last(u64 x) { unsigned long i; _BitScanReverse64(&i, x); return (int)i; }
#if defined(_M_X64)
RV_INLINE void rv_prefetch(const void *at) { _mm_prefetch((const char *)at, _MM_HINT_T0); }
#else
RV_INLINE void rv_prefetch(const void *at) { __prefetch(at); }
#endif
#else
RV_INLINE int rv_first(u64 x) { int n = 0; while (!(x & 1)) { x >>= 1; n++; } return n; }
RV_INLINE int rv_last(u64 x) { int n = 0; while (x >>= 1) n++; return n; }
RV_INLINE void rv_prefetch(const void *at) { (void)at; }
#endif

#if defined(__POPCNT__) || defined(__ARM_NEON) || defined(__aarch64__)
RV_INLINE int rv_count(u64 x) { return __builtin_popcountll(x); }
#elif defined(_MSC_VER) && defined(RV_AVX2)
RV_INLINE int rv_count(u64 x) { return (int)__popcnt64(x); }
#else
RV_INLINE int rv_count(u64 x) { /* the classic parallel sum */
    x -= (x >> 1) & 0x5555555555555555ULL;
    x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
    return (int)((x * 0x0101010101010101ULL) >> 56);
}
#endif

/* Squares, the corners among them counted twice. */
#if defined(__POPCNT__) || defined(__ARM_NEON) || defined(__aarch64__) || (defined(_MSC_VER) && defined(RV_AVX2))
RV_INLINE int rv_count_moves(u64 x) { return rv_count(x) + rv_count(x & 0x8100000000000081ULL); }
#else
RV_INLINE int rv_count_moves(u64 x) { /* the sum of rv_count: h1 and h8 keep their worth of two, a1 and a8 get another one */
    x = x - ((x >> 1) & 0x1555555555555515ULL) + (x & 0x0100000000000001ULL);
    x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
    return (int)((x * 0x0101010101010101ULL) >> 56);
}
#endif

RV_INLINE u64 rv_bit(int square) { return (u64)1 << square; }

#endif
