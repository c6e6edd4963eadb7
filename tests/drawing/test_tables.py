"""Programs as JSON: what a reader of docs/programs.md relies on."""

import doctest
import json
from pathlib import Path

import pytest

from shadersort.drawing.compile import METHODS, compile
from shadersort.drawing.methods.merging import merging
from shadersort.drawing.networks import NETWORKS, network
from shadersort.drawing.questions import counting
from shadersort.drawing.shaders import directory
from shadersort.names import DrawingMethod, NetworkName

DOCUMENT = Path(__file__).parents[2] / "docs" / "programs.md"


def test_the_example_of_the_document() -> None:
    failed, tried = doctest.testfile(str(DOCUMENT), module_relative=False)
    assert (failed, tried) == (0, 3)


def test_the_document_names_every_field() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    data = json.loads(compile(network("pbsn", 16), 4, 4, "fused").to_json())
    counts = json.loads(counting(2, 2, ("below",)).to_json())
    merges = json.loads(compile(merging(network("pbsn", 16), 4), 4, 4, "fused").to_json())
    assert merges["lists"] == 4
    every = (data, counts, merges)
    names = {*data, *merges, *(name for each in every for one in each["commands"] for name in one)}
    assert {name for name in names if f"`{name}`" not in text} == set()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", NETWORKS)
def test_every_place_is_in_its_table(name: NetworkName, method: DrawingMethod) -> None:
    program = compile(network(name, 64), 8, 8, method)
    data = json.loads(program.to_json())
    assert len(data["passes"]) == len(program.passes)
    for (number, source, target), each in zip(data["passes"], program.passes, strict=True):
        command = data["commands"][number]
        assert (source, target, command.get("blend")) == (each.source, each.target, each.blend)
        shader, macros = data["shaders"][command["shader"]]
        assert (directory() / f"{shader}.{'comp' if each.computes else 'frag'}").is_file()
        draws = [data["draws"][place] for place in command["draws"]]
        assert sum(count for count, _ in draws) == (0 if each.computes else each.quad_count)
        assert bool(command.get("groups")) == each.computes
        places = [*command["uniforms"], *(place for _, some in draws for place in some)]
        uniforms = [data["uniforms"][place] for place in places]
        assert all(numbers and set(map(type, numbers)) == {int} for _, numbers in uniforms)
        assert all(isinstance(value, int | str) for value in macros.values())
