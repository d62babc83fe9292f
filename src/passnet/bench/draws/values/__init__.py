"""Careful draws of chosen values: those that a program compares with, few ones, and those on a grid."""
