"""Careful draws of floats by their size: far, tiny, zero, cancelling, not finite."""
