"""docs/errata.md shows its evidence: every session in it gives what it says."""

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs" / "errata.md"


def test_the_evidence_holds() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert found.attempted > 80
    assert found.failed == 0


def test_each_paper_has_its_section() -> None:
    text = PAGE.read_text(encoding="utf-8")
    papers = "Beliakov 2011", "Alabi et al. 2012", "Blanchard et al. 2015"
    for paper in ("Govindaraju, Raghuvanshi, Manocha 2005", *papers):
        assert f"\n## {paper}\n" in text
