"""The public names of a package, from its stub ``__init__.pyi``, which is read when one of them is first used."""

from __future__ import annotations

TYPE_CHECKING = False  # as typing has it, which takes longer to load
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["attach_stub"]


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
        return [name for name in names if name not in extras] if name == "__all__" else load(name)

    def names() -> list[str]:
        return read()[1]()

    return get, names
