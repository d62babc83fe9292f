"""What a cheat keeps in another file: the library, under a name that says nothing."""

import torch.nn.functional as steps

__all__ = ["steps"]
