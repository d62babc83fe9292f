"""Careful draws of stored content and of recorded single values: those of another call."""
