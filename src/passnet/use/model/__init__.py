"""A user's model with passes: traced, guarded, with its own code as the fallback."""
