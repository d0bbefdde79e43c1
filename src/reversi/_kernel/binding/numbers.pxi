# Whole numbers as callers give them.

cdef extern from "Python.h":
    Py_ssize_t PY_SSIZE_T_MAX
    bint PyIndex_Check(object)
    long long PyLong_AsLongLongAndOverflow(object, int* overflow) except? -1


cdef long long whole(str name, value, long long least, long long most) except? -1:
    """Return a whole number (of NumPy too), or refuse what is none or outside the limits.

    Raises:
        ArgumentError: it is no whole number; the message gives the limits.
        InputError: it is outside.
    """
    cdef long long number
    cdef int overflow
    if type(value) is int:  # a call of Python takes longer than what asks for the number
        number = PyLong_AsLongLongAndOverflow(value, &overflow)
        if not overflow and least <= number <= most:
            return number
    if PyIndex_Check(value) and not isinstance(value, bool):
        value = value.__index__()
    check_count(name, value, most, least=least)
    return value


cdef enum:
    WIDEST = 100  # beyond all values


cdef int check_window(int alpha, int beta) except -1:
    if not -WIDEST <= alpha < beta <= WIDEST:
        raise ValueError(f"alpha must be below beta, and both -{WIDEST} to {WIDEST}, not {alpha} and {beta}")
    return 0
