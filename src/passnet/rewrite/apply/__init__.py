"""Rules applied to a graph: find, replace, count, show the difference."""
