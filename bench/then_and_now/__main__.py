"""Writes `docs/then-and-now.md` and its picture from the records: `python -m bench.then_and_now`.

It measures nothing itself. From the same records it writes the same bytes.
"""

from bench.shared.options import PATH, Options, command, option
from bench.shared.record import RECORDS
from bench.then_and_now.comparisons import groups
from bench.then_and_now.page import PICTURE, page
from bench.then_and_now.picture import svg


@command(__doc__)
@option("--docs", type=PATH, default=RECORDS.parents[1] / "docs", show_default="docs")
def main(options: Options) -> None:
    """Write the page."""
    found = tuple(groups())
    for name, text in {"then-and-now.md": page(found), PICTURE: svg(found)}.items():
        (options.docs / name).write_text(text, encoding="utf-8")
        print(options.docs / name)


if __name__ == "__main__":
    main()
