"""What `shadersort frequent` prints: a table for people, or JSON."""

from typing import Any

from rich.text import Text

from shadersort.cli.listed_items import Bounds
from shadersort.cli.report import WORDS, json_number, print_note, print_table, table, values_seen
from shadersort.streams.given_words import bytes_of

Report = dict[str, Any]


def rows(found: list[Bounds]) -> list[Report]:
    """Return items and their counts for JSON."""
    return [
        {"item": shown_item(each.item), "estimate": each.lower}
        | {"lower": each.lower, "upper": each.upper}
        for each in found
    ]


def shown_item(item: Any) -> Any:
    r"""Return an item for JSON; bytes of a word that are no UTF-8 become \xff, say."""
    if isinstance(item, str):
        return bytes_of(item).decode("utf-8", "backslashreplace")
    return json_number(item)


def print_report(report: Report) -> None:
    """Print a report for people."""
    print_note(values_seen(report))
    of = report["n"] if report["of_last"] is None else report["of_last"]
    for title, listed in (("", report["frequent"]), ("requested", report["asked"])):
        if listed:
            print_note("")
            print_table(_table(title, listed, of, report))
    print_note("", f"{_what_is_listed(report)} {_how_right(report)}")


def _table(title: str, listed: list[Report], of: int, report: Report) -> Any:
    made = table(title, "item", "times", "at most", "share", left=int(report["dtype"] == WORDS))
    for row in listed:
        counts = f"{row['estimate']:,}", f"{row['upper']:,}"
        made.add_row(Text(printable(str(row["item"]))), *counts, f"{row['estimate'] / of:.2%}")
    return made


def printable(text: str) -> str:
    r"""Return a text whose control characters are written as escapes.

    Examples
    --------
    >>> printable("caf\u00e9"), printable("a\tb\x1b[31m")
    ('café', 'a\\tb\\x1b[31m')
    """
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


def _what_is_listed(report: Report) -> str:
    """Return a sentence on which items are listed."""
    name = "word" if report["dtype"] == WORDS else "number"
    count = len(report["frequent"])
    if report["support"] is None:
        most = f"{count:,} most frequent {name}s are" if count > 1 else f"most frequent {name} is"
        return f"The {most} listed; {_of_others(report['others_at_most'])}."
    if report["not_listed"]:
        return (
            f"{report['not_listed'] + count:,} {name}s have a share of about {report['support']:g} "
            f"or more; the {count:,} most frequent of them are listed."
        )
    return f"Every {name} with a share above {report['support']:g} is listed."


def _of_others(at_most: int) -> str:
    """Say how often an item that is not listed comes at most."""
    if not at_most:
        return "there is no other"
    return "no other comes more than " + ("once" if at_most == 1 else f"{at_most:,} times")


def _how_right(report: Report) -> str:
    """Return a sentence on how right the counts are."""
    held = f"{report['entries']:,} entries were held."
    error = report["count_error"]
    return f"Counts are too small by at most {error:,}, and never too large. {held}"
