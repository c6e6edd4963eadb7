from pathlib import Path

import shadersort
from shadersort.drawing import shaders


def test_included_files_and_macros() -> None:
    text = shaders.source("comparator.frag", "int32", (("STEPS", 2),))
    assert "#define STEPS 2" in text.splitlines()
    assert "#include" not in text
    assert text.index("int partner_of(") < text.index("after_1_step") < text.index("void main()")


def test_lines_after_an_included_file_keep_their_numbers() -> None:
    file = (shaders.directory() / "comparator.frag").read_text(encoding="utf-8").splitlines()
    after = file.index('#include "cone.glsl"') + 1
    lines = shaders.source("comparator.frag", "int32", (("STEPS", 1),)).splitlines()
    at = len(lines) - lines[::-1].index(f"#line {after + 1}")
    assert lines[at:] == file[after:]


def test_every_shader_is_packaged_with_the_source() -> None:
    folder = Path(shadersort.__file__).parents[1] / "shaders"
    here = {path.name for path in shaders.directory().iterdir()}
    assert {"quads.vert", "copy.frag", "comparator.frag", "global.comp", "block.comp"} < here
    if folder.is_dir():
        assert here == {path.name for path in folder.iterdir()}
