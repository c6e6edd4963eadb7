"""Where the repository is, for links from the site into it."""

import os

REPOSITORY = os.environ.get("GITHUB_REPOSITORY", "")
"""Owner and name on GitHub, such as "someone/shadersort", or nothing.

GitHub's runners set the variable; elsewhere set it yourself: `GITHUB_REPOSITORY=… make site`.
Without it the site has no links to Colab, to Binder, and to files of the source.
"""

LESSONS = "lessons"
"""The branch with the notebooks that Colab and Binder open: see `.github/workflows/pages.yml`."""


def source(path: str, repository: str = REPOSITORY) -> str:
    """Return the address of a file or folder of the repository, or nothing."""
    return f"https://github.com/{repository}/blob/main/{path}" if repository else ""


def openers(notebook: str, repository: str = REPOSITORY) -> dict[str, str]:
    """Return the addresses at which a notebook runs without an installation, by their names.

    Examples
    --------
    >>> openers("01-drawing.ipynb", "someone/shadersort")["Colab"]
    'https://colab.research.google.com/github/someone/shadersort/blob/lessons/01-drawing.ipynb'
    """
    if not repository:
        return {}
    return {
        "Colab": f"https://colab.research.google.com/github/{repository}/blob/{LESSONS}/{notebook}",
        "Binder": f"https://mybinder.org/v2/gh/{repository}/{LESSONS}?labpath={notebook}",
    }


def requirement(extra: str, repository: str = REPOSITORY) -> str:
    """Return what pip installs the package from."""
    return f"shadersort[{extra}] @ git+https://github.com/{repository}"
