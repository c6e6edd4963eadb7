"""The help of every command: examples that can be typed, and a word on every option."""

import re
import shlex
from pathlib import Path

import click
import pytest

from shadersort.cli import COMMANDS, commands


def command_of(name: str) -> click.Command:
    found = commands.get_command(click.Context(commands), name)
    assert found
    return found


def examples(name: str) -> list[list[str]]:
    """The arguments of the examples below the help of a command; files of these names exist."""
    lines = (command_of(name).epilog or "").splitlines()
    parts = [part.strip() for line in lines for part in re.split(r" \| ", line)]
    found = [shlex.split(part) for part in parts if part.startswith("shadersort ")]
    for word in (word for words in found for word in words):
        if re.search(r"[\w*]\.\w+$", word):
            file = Path(word.replace("*", "monday"))
            file.parent.mkdir(exist_ok=True)
            file.touch()
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_can_be_typed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = examples(name)
    assert len(found) >= 2
    for _, called, *arguments in found:
        assert called == name
        context = command_of(name).make_context(name, arguments, parent=click.Context(commands))
        assert context.params


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_a_word(name: str) -> None:
    options = [each for each in command_of(name).params if isinstance(each, click.Option)]
    assert [each.name for each in options if not each.help] == []
