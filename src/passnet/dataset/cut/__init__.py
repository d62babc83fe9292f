"""Cuts whole graphs into single operators, typical ranges and fusible ranges, each proved against its parent."""
