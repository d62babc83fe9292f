"""The text of a `model.py`: read without running it, checked name by name, and built into a graph."""
