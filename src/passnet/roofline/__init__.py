"""roofline: the operations of a graph, and how fast a device could run them. Runs no pass."""
