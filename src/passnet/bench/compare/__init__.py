"""Whether outputs are right: arithmetic on tensors. Knows of no process."""
