"""Graphs and tasks as rows, and rows as Parquet files. No torch."""
