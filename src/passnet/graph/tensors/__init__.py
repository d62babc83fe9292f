"""What is known of a graph's input tensors, and the files that say it."""
