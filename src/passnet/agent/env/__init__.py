"""The environment: one task, one pass directory, and the tools through which an author works."""
