"""A window that shows a sort while it runs."""
