/* Which instruction-set levels this CPU and its operating system support, and which compiler made this. Compiled for the
 * baseline only.
 */
#ifndef REVERSI_CPU_H
#define REVERSI_CPU_H

#include <stdint.h>

#if defined(__x86_64__) || defined(_M_X64)
#define RV_X86 1
#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
static void rv_cpuid(uint32_t leaf, uint32_t sub, uint32_t r[4]) { __cpuidex((int *)r, (int)leaf, (int)sub); }
static uint64_t rv_xcr0(void) { return _xgetbv(0); }
#else
#include <cpuid.h>
static void rv_cpuid(uint32_t leaf, uint32_t sub, uint32_t r[4]) { __cpuid_count(leaf, sub, r[0], r[1], r[2], r[3]); }
static uint64_t rv_xcr0(void) {
    uint32_t low, high;
    __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(low), "=d"(high) : "c"(0)); /* xgetbv */
    return (uint64_t)high << 32 | low;
}
#endif
#endif

/* 4: x86-64-v4, 3: x86-64-v3, 1: the baseline. A level needs its instructions and an operating system that saves
 * the registers they use (XGETBV). */
static int rv_x86_level(void) {
#ifdef RV_X86
    const uint32_t v3_1c = 1u << 12 | 1u << 22 | 1u << 23 | 1u << 27 | 1u << 28 | 1u << 29; /* FMA MOVBE POPCNT OSXSAVE AVX F16C */
    const uint32_t v3_7b = 1u << 3 | 1u << 5 | 1u << 8;                                    /* BMI1 AVX2 BMI2 */
    const uint32_t v4_7b = 1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31;           /* AVX512 F DQ CD BW VL */
    uint32_t r[4], highest;
    uint64_t saved;
    rv_cpuid(0, 0, r);
    highest = r[0];
    rv_cpuid(1, 0, r);
    if (highest < 7 || (r[2] & v3_1c) != v3_1c) return 1;
    saved = rv_xcr0();
    if ((saved & 0x06) != 0x06) return 1;
    rv_cpuid(0x80000000u, 0, r);
    if (r[0] < 0x80000001u) return 1;
    rv_cpuid(0x80000001u, 0, r);
    if (!(r[2] & 1u << 5)) return 1; /* LZCNT */
    rv_cpuid(7, 0, r);
    if ((r[1] & v3_7b) != v3_7b) return 1;
    if ((saved & 0xe6) != 0xe6 || (r[1] & v4_7b) != v4_7b) return 3;
    return 4;
#else
    return 0;
#endif
}

static int rv_is_x86(void) {
#ifdef RV_X86
    return 1;
#else
    return 0;
#endif
}

/* NEON is part of every 64-bit ARM. */
static int rv_is_arm64(void) {
#if defined(__aarch64__) || defined(_M_ARM64)
    return 1;
#else
    return 0;
#endif
}

static const char *rv_compiler(void) {
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#elif defined(_MSC_VER)
#define RV_TEXT(x) #x
#define RV_TEXT_OF(x) RV_TEXT(x)
    return "MSVC " RV_TEXT_OF(_MSC_VER);
#else
    return "an unknown compiler";
#endif
}

#endif
