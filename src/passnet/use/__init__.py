"""use: the passes that won, inside the user's own model: applied to a module, or as a backend of `torch.compile`."""

from passnet.use.model.applied import Applied
from passnet.use.passes import Passes, load_passes

__all__ = ["Applied", "Passes", "load_passes"]
