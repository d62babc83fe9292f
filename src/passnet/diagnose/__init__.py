"""Where a compiler goes wrong or loses: in the smallest piece of a graph (`bisect`), in many pieces (`slowdown`)."""
