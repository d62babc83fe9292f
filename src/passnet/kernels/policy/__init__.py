"""Rules for kernels of authors: for their source and for the compiled code."""
