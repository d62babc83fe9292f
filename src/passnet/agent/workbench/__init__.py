"""What the tools of an episode need from the device and from the bench."""
