"""The project holds itself to its size: `make size` prints what these tests check."""

from scripts.size import Tree, breaks, settings


def test_every_room_is_within_its_budget_and_every_rule_holds() -> None:
    assert list(breaks(Tree.read(), settings())) == []
