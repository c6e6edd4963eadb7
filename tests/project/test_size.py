"""The project holds itself to its size: `make size` prints what these tests check."""

from scripts.size import Tree, breaks, settings


def test_every_room_is_within_its_budget_and_every_rule_holds() -> None:
    assert list(breaks(Tree.read(), settings())) == []


def test_a_break_is_named() -> None:
    lines = {f"modern/file_{n}.py": 100 + n for n in range(13)} | {"shaders/a.frag": 301}
    tree = Tree(lines, {"Once": 1, "Twice": 2})
    rooms = {"modern": 1300, "shaders": 400}
    table = {"rooms": rooms, "folders": {}, "files": {}, "classes": {"Once": 2}}
    assert list(breaks(tree, table)) == [
        "modern: 1378 lines, over its budget of 1300",
        "modern: 13, more than the rule of folders allows",
        "shaders/a.frag: 301, more than the rule of files allows",
        "Once: within the rule; lower its exception of 2",
        "Twice: 2, more than the rule of classes allows",
    ]
