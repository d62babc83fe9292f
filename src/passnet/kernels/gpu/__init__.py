"""CUDA C++ in, kernels on torch's current stream out."""
