"""Records the calls of a wrapper once and replays them as bare allocations and launches."""
