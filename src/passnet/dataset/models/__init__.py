"""Adapters that build models offline with random weights: one module per library, all behind `ModelSource`."""
