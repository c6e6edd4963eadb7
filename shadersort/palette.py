"""The colours of keys, for what draws without matplotlib: cividis, made for the colour-blind."""

__all__ = ["CIVIDIS", "rgb"]

CIVIDIS = (
    *("#00224e", "#002e6a", "#1a386f", "#32436d", "#434e6c", "#535a6d", "#61656f", "#6f7073"),
    *("#7d7c78", "#8c8878", "#9b9476", "#aba072", "#bcae6c", "#cdbb63", "#dec958", "#f0d846"),
    "#fee838",
)
"""From the smallest key to the largest, by rank; between two of these, colours are mixed."""


def rgb(colour: str) -> tuple[float, float, float]:
    """Return red, green and blue, from 0 to 1, of a colour that is written as in HTML.

    Examples
    --------
    >>> rgb("#ff0033")
    (1.0, 0.0, 0.2)
    """
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue
