"""The environment for training libraries and harnesses. Each module needs the library of its name to be installed.

The modules are made of the environment, and no other part of passnet knows them. So they live in this room and not
above it.
"""
