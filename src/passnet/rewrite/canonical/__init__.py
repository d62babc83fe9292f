"""One canonical form for a graph, whatever the spelling."""
