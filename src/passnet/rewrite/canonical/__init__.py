"""One canonical form for graphs with different spellings."""
