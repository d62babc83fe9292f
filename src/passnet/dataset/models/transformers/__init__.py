"""Models of the transformers package, and inputs that fit them."""
