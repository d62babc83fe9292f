"""Authors propose passes. They act only through the tools of the environment, so all are recorded alike."""
