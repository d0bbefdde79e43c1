"""The public names of a package, from its stub ``__init__.pyi``, which is read when one of them is first used."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # as typing has it, which takes longer to load
if TYPE_CHECKING:
    from collections.abc import Callable

_CORE = "reversi._core"


def attach_stub(
    package: str, file: str, *, extras: tuple[str, ...] = ()
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a package; see `lazy_loader.attach_stub`.

    Reading the stub takes longer than anything else at the import of a small package, and commands do not need it.

    Args:
        package: its ``__name__``. None of its public names may be that of the module that defines it.
        file: its ``__file__``.
        extras: the names that only an extra provides: ``from package import *`` leaves them out.
    """
    attached: list[tuple[Callable[[str], object], Callable[[], list[str]], list[str]]] = []

    def read() -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
        if not attached:
            import lazy_loader

            attached.append(lazy_loader.attach_stub(package, file))
        return attached[0]

    def get(name: str) -> object:
        load, _, names = read()
        if name == "__all__":
            return [name for name in names if name not in extras]
        try:
            return load(name)
        except (ImportError, AttributeError) as error:
            if message := core_problem(error):
                raise ImportError(message, name=_CORE) from None
            if name in extras:  # an attribute that is not there; an import of the module says what to install
                raise AttributeError(str(error), name=name, obj=sys.modules[package]) from error
            raise

    def names() -> list[str]:
        return read()[1]()

    return get, names


def core_problem(error: ImportError | AttributeError) -> str:
    """Return what is wrong with the compiled core when that is why an import failed, else an empty text."""
    module = error.name if isinstance(error, ImportError) else getattr(error.obj, "__name__", "")
    if module != _CORE:
        return ""
    if isinstance(error, ModuleNotFoundError):
        return "the compiled core is missing; build it: pip install ."
    return "the compiled core is older than the package; build it again: pip install ."
