"""A rewritten graph as something that a user calls."""
