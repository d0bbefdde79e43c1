"""Writes the API reference as one page of Markdown: python docs/make_reference.py > API.md

It reads the sources alone, so that nothing need be built. Each sdist gets the page when it is made (setup.py). The
pages of docs/api say which names there are, and in which order.
"""

from __future__ import annotations

import ast
import copy
import posixpath
import re
import sys
import textwrap
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

from addresses import LINK

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src"
NAME = re.compile(r"^::: (\S+)\n((?: +\S.*\n)*)", re.MULTILINE)
COMPILED = re.compile(r"^( *)(?:cdef class|cdef|def) (\w+)")
SECTION = re.compile(r"(Args|Attributes|Returns|Yields|Raises):")
KEPT = {"property", "classmethod", "staticmethod", "overload", "cached_property", "dataclass"}

Definition: TypeAlias = "ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.Assign | ast.AnnAssign"
Found: TypeAlias = "tuple[str, list[tuple[Definition, str]]]"  # the module, and the definitions with their texts


def file_of(module: str) -> Path | None:
    """Return the source of a module, its stub if it has one."""
    base = SOURCES.joinpath(*module.split("."))
    files = [base / "__init__.pyi", base / "__init__.py", base.with_suffix(".pyi"), base.with_suffix(".py")]
    return next((file for file in files if file.exists()), None)


@cache
def body_of(module: str) -> list[ast.stmt]:
    file = file_of(module)
    return [] if file is None else ast.parse(file.read_text(encoding="utf-8")).body


@cache
def compiled() -> dict[str, str]:
    """Return the texts of what is compiled, whose stub has types alone."""
    texts: dict[str, str] = {}
    for file in sorted((SOURCES / "reversi" / "_kernel" / "binding").glob("*.pxi")):
        owner = path = ""
        before, *parts = file.read_text(encoding="utf-8").split('"""')
        for text, after in zip(parts[::2], parts[1::2], strict=True):
            heads = [head for head in map(COMPILED.match, before.splitlines()) if head]
            for head in heads:
                owner = owner if head[1] else head[2]
                path = f"{owner}.{head[2]}" if head[1] else head[2]
            if heads and before.rstrip().endswith(":"):
                texts[path] = text
            before = after
    return texts


def documented(body: list[ast.stmt], owner: str = "") -> Iterator[tuple[str, Definition, str]]:
    """Return what a module or class defines: the name, the definition, and its text."""
    for node, after in pairwise([*body, None]):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            path = f"{owner}.{node.name}" if owner else node.name
            yield node.name, node, ast.get_docstring(node) or textwrap.dedent(" " * 8 + compiled().get(path, ""))
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name):
                is_text = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
                yield target.id, node, str(after.value.value) if is_text else ""  # type: ignore[union-attr]


@cache
def defined(module: str) -> list[tuple[str, Definition, str]]:
    return list(documented(body_of(module)))


@cache
def find(name: str) -> Found:
    """Return where a name is defined, and how."""
    module, _, rest = name.rpartition(".")
    if found := [(node, text) for each, node, text in defined(module) if each == rest]:
        return module, found
    for node in ast.walk(ast.Module(body_of(module), [])):
        for alias in node.names if isinstance(node, ast.ImportFrom) else ():
            if (alias.asname or alias.name) == rest:
                assert isinstance(node, ast.ImportFrom)
                inside = module if node.level else ""
                return find(".".join(part for part in (inside, node.module, alias.name) if part))
    raise LookupError(f"{name} is not defined")


def literal(node: ast.expr, module: str) -> ast.expr:
    """Return the value of a name that stands for a number or a text; else the expression itself."""
    with suppress(LookupError, ValueError):  # it is no name of ours, or no literal
        definition = find(f"{module}.{node.id}")[1][0][0] if isinstance(node, ast.Name) else None
        if isinstance(definition, ast.Assign | ast.AnnAssign) and definition.value is not None:
            ast.literal_eval(definition.value)
            return definition.value
    return node


def signature(node: Definition, module: str) -> str:
    """Return a definition without its body."""
    if isinstance(node, ast.Assign | ast.AnnAssign):
        lines = ast.unparse(node).splitlines()
        return lines[0] if len(lines) == 1 and len(lines[0]) < 110 else lines[0].partition(" = ")[0]
    node = copy.deepcopy(node)
    node.decorator_list = [each for each in node.decorator_list if ast.unparse(each).split("(")[0] in KEPT]
    if not isinstance(node, ast.ClassDef):
        node.args.defaults = [literal(each, module) for each in node.args.defaults]
        node.args.kw_defaults = [each and literal(each, module) for each in node.args.kw_defaults]
        node.body = [ast.Expr(ast.Constant(...))]
        *above, head = ast.unparse(node).removesuffix("\n    ...").splitlines()
        head = re.sub("(?<!,) ", "\0", head)  # lines end after commas
        head = textwrap.fill(head, 110, subsequent_indent="    ", break_on_hyphens=False).replace("\0", " ")
        return "\n".join([*above, head])
    fields = [signature(each, module) for name, each, _ in documented(node.body) if is_field(name, each)]
    starts = [signature(each, module) for name, each, _ in documented(node.body) if name == "__init__"]
    node.body = [ast.Pass()]
    head = ast.unparse(node).removesuffix("\n    pass")
    return "\n".join([head, *(textwrap.indent(each, "    ") for each in fields + starts)])


def attributes(node: ast.ClassDef) -> Iterator[str]:
    """Return the attributes that ``__init__`` sets, with the texts below them, as a list."""
    inits = [
        each for name, each, _ in documented(node.body) if name == "__init__" and isinstance(each, ast.FunctionDef)
    ]
    for each, after in pairwise([*inits[0].body, None]) if inits else ():
        if not isinstance(each, ast.Assign | ast.AnnAssign):
            continue
        target = each.targets[0] if isinstance(each, ast.Assign) else each.target
        if (
            isinstance(after, ast.Expr)
            and isinstance(after.value, ast.Constant)
            and isinstance(target, ast.Attribute)
        ):
            yield f"- `{target.attr}`: " + " ".join(str(after.value.value).split())


def is_field(name: str, node: Definition) -> bool:
    return not name.startswith("_") and isinstance(node, ast.Assign | ast.AnnAssign)


def as_markdown(text: str) -> str:
    """Return a docstring with its lists of arguments as lists, and its examples in fences."""
    lines: list[str] = []
    for part in re.split(r"\n\s*\n", text.strip("\n")):
        if part.lstrip().startswith(">>>"):
            lines += ["```python", textwrap.dedent(part), "```", ""]
            continue
        in_section = False
        for line in part.splitlines():
            if SECTION.fullmatch(line.strip()):
                lines += [f"**{line.strip()}**", ""]
                in_section = True
            elif in_section and re.match(r" {4}\S", line):
                lines.append(re.sub(r"^ +(\*{0,2}[\w, .*]+):", r"- `\1`:", line).replace("    ", "- ", 1))
            else:
                lines.append(f"  {line.strip()}" if in_section else line)
        lines.append("")
    return "\n".join(lines)


def entry(name: str, *, inherited: bool) -> Iterator[str]:
    """Return a public name with its signature, its text and its members."""
    module, found = find(name)
    yield f"### {name}\n\n```python\n" + "\n".join(signature(node, module) for node, _ in found) + "\n```\n"
    yield from (as_markdown(text) for _, text in found if text)
    node = found[-1][0]
    if isinstance(node, ast.ClassDef):
        if listed := list(attributes(node)):
            yield "\n".join(["**Attributes:**", "", *listed, ""])
        yield from members(node, module, set(), inherited=inherited)


def members(node: ast.ClassDef, module: str, seen: set[str], *, inherited: bool) -> Iterator[str]:
    for name, each, text in documented(node.body, node.name):
        if not (name.startswith("_") or isinstance(each, ast.Assign | ast.AnnAssign) or name in seen):
            yield f"```python\n{signature(each, module)}\n```\n"
            yield as_markdown(text)
    seen |= {name for name, _, _ in documented(node.body)}
    for base in node.bases if inherited else ():
        with suppress(LookupError):  # a class of another package
            home, ((parent, _), *_) = find(f"{module}.{ast.unparse(base).partition('[')[0]}")
            if isinstance(parent, ast.ClassDef):
                yield from members(parent, home, seen, inherited=True)


def module_entries(module: str) -> Iterator[str]:
    for name, node, _ in defined(module):
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not name.startswith("_"):
            yield from entry(f"{module}.{name}", inherited=False)


def reference() -> str:
    """Return the page."""
    order = re.findall(r"api/\w+\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"))

    def replaced(match: re.Match[str]) -> str:
        name, options = match[1], match[2]
        inherited = "inherited_members: true" in options
        return "\n".join(module_entries(name) if file_of(name) else entry(name, inherited=inherited)) + "\n"

    def moved(link: re.Match[str]) -> str:
        return posixpath.normpath(f"docs/api/{link['path']}") + (link["anchor"] or "")

    pages = [LINK.sub(moved, (ROOT / "docs" / page).read_text(encoding="utf-8")) for page in order]
    text = "\n".join(NAME.sub(replaced, page) for page in pages)
    return re.sub(r"\n{3,}", "\n\n", text)


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    sys.stdout.write(reference())
