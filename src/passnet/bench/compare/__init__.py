"""Whether outputs are right: arithmetic on tensors. It knows of no process."""
