"""Careful draws in which elements are related: rows, inputs, neighbours and steps that tell of each other."""
