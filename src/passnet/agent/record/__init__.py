"""What an episode writes, and the forms in which others read it. Imports no torch."""
