"""Captures the whole graphs of models, judges them, and keeps one record of each model."""
