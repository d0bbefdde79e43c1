/* Zeroed memory for large tables: huge pages where the system has them, since a table is read all over. */
#ifndef REVERSI_MEMORY_H
#define REVERSI_MEMORY_H

#include <stddef.h>
#include <stdlib.h>

#if defined(__linux__)
#include <sys/mman.h>
#define RV_HUGE_PAGE ((size_t)2 << 20)
static void *rv_table_new(size_t size) {
    size_t mapped = (size + RV_HUGE_PAGE - 1) / RV_HUGE_PAGE * RV_HUGE_PAGE + RV_HUGE_PAGE;
    char *at = (char *)mmap(0, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *start;
    if (at == (char *)MAP_FAILED) return 0;
    /* keep an aligned part, give the rest back */
    start = (char *)(((size_t)at + RV_HUGE_PAGE - 1) & ~(RV_HUGE_PAGE - 1));
    if (start > at) munmap(at, (size_t)(start - at));
    if (at + mapped > start + (mapped - RV_HUGE_PAGE))
        munmap(start + (mapped - RV_HUGE_PAGE), (size_t)(at + mapped - (start + (mapped - RV_HUGE_PAGE))));
#ifdef MADV_HUGEPAGE
    if (size >= RV_HUGE_PAGE) (void)madvise(start, mapped - RV_HUGE_PAGE, MADV_HUGEPAGE);
#endif
    return start;
}
static void rv_table_free(void *at, size_t size) {
    if (at) munmap(at, (size + RV_HUGE_PAGE - 1) / RV_HUGE_PAGE * RV_HUGE_PAGE);
}
#else
static void *rv_table_new(size_t size) { return calloc(1, size); }
static void rv_table_free(void *at, size_t size) { (void)size; free(at); }
#endif

#endif
