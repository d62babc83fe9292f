"""Groups graphs into tasks and divides them into training, evaluation and reserve. No torch."""
