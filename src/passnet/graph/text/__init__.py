"""The text of a `model.py`: it is read without running it, checked name by name, and built into a graph."""
