# Whole numbers as callers give them.

cdef extern from "Python.h":
    bint PyIndex_Check(object)


cdef long long whole(str name, value, long long least, long long most) except? -1:
    """Return a whole number (of NumPy too), or refuse what is none or outside the limits.

    Raises:
        InputError: it is; the message gives the limits.
    """
    if PyIndex_Check(value) and not isinstance(value, bool):
        value = value.__index__()
    check_count(name, value, most, least=least)
    return value
