"""Turns kernel source into a loaded library: compilers, prototypes, bindings."""
