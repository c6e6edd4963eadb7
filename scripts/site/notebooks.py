"""Writes the notebooks that Colab and Binder open: `python -m scripts.site.notebooks FOLDER`.

It needs no package, and the environment variable GITHUB_REPOSITORY. `.github/workflows/pages.yml`
pushes the folder to a branch of the repository.
"""

import json
import sys
from pathlib import Path

from scripts.site.lessons import elsewhere
from scripts.site.links import ROOT
from scripts.site.repository import REPOSITORY, requirement

LIBRARIES = ("libegl1", "libgl1", "libgl1-mesa-dri")
"""Debian's packages for OpenGL without a display, which Binder installs."""


def write(folder: Path, repository: str) -> None:
    """Write the notebooks, and what Binder reads, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        notebook = elsewhere(json.loads(path.read_text(encoding="utf-8")), repository)
        text = json.dumps(notebook, ensure_ascii=False, indent=1)
        (folder / path.name).write_text(text, encoding="utf-8")
    (folder / "requirements.txt").write_text(requirement("notebooks", repository) + "\n")
    (folder / "apt.txt").write_text("\n".join(LIBRARIES) + "\n")


if __name__ == "__main__":
    if not REPOSITORY:
        sys.exit("set GITHUB_REPOSITORY to the repository's owner and name on GitHub")
    write(Path(sys.argv[1]), REPOSITORY)
