"""Passes inside TorchInductor: replaced pieces become operators."""
