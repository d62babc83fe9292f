"""Careful draws of integers: words, labels, indices and positions."""
