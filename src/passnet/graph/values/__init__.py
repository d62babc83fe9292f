"""The values of a graph's inputs: the role of each input, and numbers that fit it."""
