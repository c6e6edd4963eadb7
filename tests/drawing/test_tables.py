"""Programs as JSON: what a reader of docs/programs.md relies on."""

import doctest
import json
from pathlib import Path

import pytest

import shadersort
from shadersort.drawing import shaders
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


# shaders


def test_included_files_and_macros() -> None:
    """Lines after an included file keep their numbers."""
    text = shaders.source("comparator.frag", "int32", (("STEPS", 2),))
    assert "#define STEPS 2" in text.splitlines()
    assert "#include" not in text
    assert text.index("int partner_of(") < text.index("after_1_step") < text.index("void main()")
    file = (shaders.directory() / "comparator.frag").read_text(encoding="utf-8")
    before, after = file.split('#include "cone.glsl"\n')
    assert text.endswith(f"#line {len(before.splitlines()) + 2}\n{after}")


def test_every_shader_is_packaged_with_the_source() -> None:
    folder = Path(shadersort.__file__).parents[1] / "shaders"
    here = {path.name for path in shaders.directory().iterdir()}
    assert {"quads.vert", "copy.frag", "comparator.frag", "global.comp", "block.comp"} < here
    if folder.is_dir():
        assert here == {path.name for path in folder.iterdir()}
