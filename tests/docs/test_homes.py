"""One class name, one home: a name that a reader searches for is found once."""

from __future__ import annotations

import ast
from collections import defaultdict

from tests.docs.house import SOURCE


def test_every_public_class_name_has_one_home() -> None:
    homes = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(str(path.relative_to(SOURCE)))
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}
