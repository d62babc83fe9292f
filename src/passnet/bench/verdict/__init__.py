"""The verdict on one graph. No process that runs a pass imports this."""
