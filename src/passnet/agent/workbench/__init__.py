"""The device and the bench, as the tools of an episode use them."""
