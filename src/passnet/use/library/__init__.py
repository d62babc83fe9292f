"""A library of verified pass sets."""
