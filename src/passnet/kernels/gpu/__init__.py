"""Compiles CUDA C++ and launches its kernels on torch's current stream."""
