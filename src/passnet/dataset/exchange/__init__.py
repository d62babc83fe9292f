"""Takes a stored dataset to published directories, lists and smaller stores, and back. No torch."""
