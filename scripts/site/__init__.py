"""The site: the lessons, the report and the docstrings as pages, built by Sphinx from `site/`."""
