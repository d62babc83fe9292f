"""Runs of an author over tasks: requests, episodes, results, summaries."""
