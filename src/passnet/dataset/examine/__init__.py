"""Says what a dataset holds, whether it is sound, and whether two sets of graphs share anything. No torch."""
