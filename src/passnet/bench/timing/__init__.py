"""Blocks of calls, interleaved and clocked by the controller, and the estimate made of them."""
