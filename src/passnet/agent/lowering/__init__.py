"""What Inductor would generate for a graph, as text and as data. Nothing is run."""
