"""Devices by name, and the lease that makes sure that one process measures on a device at a time."""
