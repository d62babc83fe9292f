"""distill: the embedded author, which makes passes of Inductor's own kernels; it needs no model and no network."""
