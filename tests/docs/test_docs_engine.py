"""The table of levels in docs/engine.md is what the code does."""

import importlib.util
from pathlib import Path

MAKER = Path(__file__).parents[2] / "docs" / "make_levels.py"


def test_the_table_of_levels_is_current():
    spec = importlib.util.spec_from_file_location("make_levels", MAKER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    text = module.PAGE.read_text(encoding="utf-8")
    assert module.page(text) == text
