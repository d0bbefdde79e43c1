# The choice of the kernel's build, once, at import.

cdef extern from "_kernel/cpu.h":
    int rv_x86_level()
    int rv_is_x86()
    int rv_is_arm64()
    const char* rv_compiler()

cdef Kernel kernel
fill_kernel(&kernel)


def _levels():
    """Return {level: module with that build of the kernel, or None for the portable one} for this CPU, best first."""
    levels = {}
    if rv_is_x86():
        if rv_x86_level() >= 4:
            levels["x86-64-v4"] = "_kernel.v4"
        if rv_x86_level() >= 3:
            levels["x86-64-v3"] = "_kernel.v3"
    if rv_is_arm64():
        levels["neon"] = "_kernel.neon"
    levels["portable"] = None
    return levels


cdef dict _load(str module):
    import importlib

    return vars(importlib.import_module("reversi." + module))


cdef tuple _choose_level():
    """Return (chosen level, usable levels): the best one that the machine and this installation have, or the forced
    one.

    Raises:
        InstructionSetError: REVERSI_ISA names a level that is not available here.
    """
    global kernel
    wanted = os.environ.get("REVERSI_ISA", "").strip().lower()
    usable = {}
    for name, module in _levels().items():
        if module is None:
            usable[name] = None
            continue
        try:
            capsule = _load(module)["KERNEL"]
        except ModuleNotFoundError:  # not built on this platform
            continue
        if (<Kernel*>PyCapsule_GetPointer(capsule, "reversi.kernel")).search_size != sizeof(Search):
            raise ImportError(f"reversi.{module} and reversi._core come from different sources; install reversi again")
        usable[name] = capsule
    if wanted and wanted not in usable:
        raise InstructionSetError(
            f"REVERSI_ISA={wanted!r} is not available here; choose one of {', '.join(usable)}"
        )
    chosen = wanted or next(iter(usable))
    if usable[chosen] is not None:
        kernel = (<Kernel*>PyCapsule_GetPointer(usable[chosen], "reversi.kernel"))[0]
    return chosen, tuple(usable)


ISA, USABLE_ISAS = _choose_level()
COMPILER = rv_compiler().decode("ascii", "replace").strip()
