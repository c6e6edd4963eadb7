"""The numbers in the text of the lessons, computed from records: a module for each lesson."""
