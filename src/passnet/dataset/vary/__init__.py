"""Makes the variants of a graph: other dtypes and other sizes, each of which runs."""
