"""The metadata of a graph's input tensors, and the files that hold it."""
