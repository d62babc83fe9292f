"""What kernels written by authors may contain: rules for their source and for what it was compiled to."""
