"""The records of an episode, and the forms in which others read it. Imports no torch."""
