# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The kernel compiled for x86-64-v3 (AVX2, BMI). Import it only where that runs; _kernel/binding/isa.pxi decides."""

from cpython.pycapsule cimport PyCapsule_New

include "kernel.pxi"

cdef Kernel kernel
fill_kernel(&kernel)
KERNEL = PyCapsule_New(&kernel, "reversi.kernel", NULL)
