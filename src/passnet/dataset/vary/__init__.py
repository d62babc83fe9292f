"""Makes the variants of a graph: other dtypes and other sizes. Each of them runs."""
