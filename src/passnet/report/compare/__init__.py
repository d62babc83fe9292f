"""Paired comparison of runs: which graphs became slower, how much the runs differ, and what changed around them."""
