"""Faces of the environment for training libraries and harnesses; each module needs the library of its name installed.

They are made of the environment and nothing else of ours knows them, so they live in this room and not above it.
"""
