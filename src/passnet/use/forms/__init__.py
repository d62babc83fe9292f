"""The forms of one model side by side: each made, proved right against the model, and timed in turn with the others."""
