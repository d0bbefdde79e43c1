"""The cookbook has twenty recipes, each with an example that shows a result."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

COOKBOOK = Path(__file__).parents[2] / "docs" / "cookbook.md"


def test_every_recipe_shows_a_result() -> None:
    _, *recipes = re.split(r"^## ", COOKBOOK.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert [recipe.partition(". ")[0] for recipe in recipes] == [str(number) for number in range(1, 21)]
    for recipe in recipes:
        code = "".join(re.findall(r"^```python\n(.*?)^```$", recipe, re.MULTILINE | re.DOTALL))
        examples = doctest.DocTestParser().get_examples(code)
        assert any(example.want for example in examples), recipe.splitlines()[0]
        assert not any(example.options for example in examples)  # nothing is skipped
