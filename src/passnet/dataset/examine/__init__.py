"""Says what a dataset holds, whether it is sound, and whether two sets of graphs are apart. No torch."""
