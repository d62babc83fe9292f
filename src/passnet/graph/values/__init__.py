"""The values of a graph's inputs: what each input is for, and numbers that fit."""
