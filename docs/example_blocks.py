"""Examples at a prompt as code blocks that name it, so that the site can leave the prompt out of a copy."""

from collections.abc import Sequence

_FENCES = ("```", "~~~")
_PROMPTS = (("python", ">>> ", "pycon"), ("", "$ ", "console"))


def with_prompts(lines: Sequence[str]) -> list[str]:
    """Return Markdown whose examples at a prompt are blocks of ``pycon`` and ``console``.

    Pages have them in blocks of ``python`` and in blocks without a language, docstrings as paragraphs.
    """
    found: list[str] = []
    fence = ""  # the one that is open
    example = -1  # how far the paragraph of an example is indented, when one is open
    for number, line in enumerate(lines):
        text = line.lstrip()
        if fence:
            if text.startswith(fence):
                fence = ""
        elif text.startswith(_FENCES):
            fence = text[:3]
            line = _named(line, "".join(lines[number + 1 : number + 2]))  # noqa: PLW2901
        elif text.startswith(">>> ") and example < 0:
            example = len(line) - len(text)
            found.append("```pycon")
        elif example >= 0 and not text:
            example = -1
            found.append("```")
        found.append(line if example < 0 else line[example:])
    return [*found, "```"] if example >= 0 else found


def _named(line: str, following: str) -> str:
    """Return the first line of a block with the language of its prompt."""
    for language, prompt, better in _PROMPTS:
        if line.strip()[3:] == language and following.lstrip().startswith(prompt):
            return line.rstrip().removesuffix(language) + better
    return line
