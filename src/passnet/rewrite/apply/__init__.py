"""Applies rules to a graph: find, replace, count, show the difference."""
