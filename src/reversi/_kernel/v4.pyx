# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The kernel compiled for x86-64-v4 (AVX-512). Elsewhere its import fails; _kernel/binding/isa.pxi chooses."""

cdef extern from *:
    """
    #define RV_LEVEL 4
    #define RV_INIT PyInit_v4
    #include "_kernel/guard.h"
    #define PyInit_v4 rv_init_kernel
    """

from cpython.pycapsule cimport PyCapsule_New

include "kernel.pxi"

cdef Kernel kernel
fill_kernel(&kernel)
KERNEL = PyCapsule_New(&kernel, "reversi.kernel", NULL)
