"""Calls of a wrapper recorded once and replayed as bare allocations and launches."""
