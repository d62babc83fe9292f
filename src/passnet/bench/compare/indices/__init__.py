"""Outputs that are indices, judged by the values that they point to."""
