"""The table of launches has the share of each kernel, and what is left of a call."""

from pathlib import Path

from bench.launches_table import of_launches
from bench.shared.record import begun, read
from bench.shared.record import write as write_record


def test_launches_of_one_name_are_added_up(tmp_path: Path) -> None:
    of = {"dtype": "float32", "what": "select n/2"}
    rows = [
        of | {"launch": name, "reads": reads}
        for name, reads in (
            ("count", 0.25),
            ("keep", 0.5),
            ("count", 0.25),
            ("the whole call", 1.3),
        )
    ]
    rows += [{"dtype": "float32", "what": "max", "launch": "the whole call", "reads": 1.0}]
    path = tmp_path / "launches.json"
    write_record(path, begun("launches") | {"rows": rows})
    head, line, *lines = of_launches(read(path))
    assert head.endswith("| the call | its launches | pauses |")
    assert lines[0] == "| select n/2 | 1.3 R | `count` 2× 0.5, `keep` 0.5 | 0.3 |"
    assert line.startswith("|---|")
    assert lines[1:] == [""]
