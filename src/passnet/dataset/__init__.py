"""Cuts small graphs out of real models and makes tasks of them. Importing this package imports no torch.

`build` runs the stages, one package each. `models` builds models. `capture` takes their whole graphs. `cut` takes
pieces of these. `vary` makes other dtypes and sizes of the pieces. `tables` stores everything, and `split` divides it
into tasks for training and for evaluation. `exchange` converts a finished dataset to other forms. `examine` says what
is in it. `bundle` made `data/tasks`.
"""
