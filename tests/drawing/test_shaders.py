from pathlib import Path

import shadersort
from shadersort.drawing import shaders


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
