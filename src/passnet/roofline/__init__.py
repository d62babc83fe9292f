"""roofline: what a graph is made of, and how fast a device could run it. Runs no pass."""
