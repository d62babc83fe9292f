"""distill: the embedded author makes passes of Inductor's own kernels. It needs no model and no network."""
