"""From kernel source to a loaded library: compilers, prototypes, bindings."""
