"""Cuts small graphs out of real models and makes tasks of them. Importing this package imports no torch.

`build` leads through the stages, one package each: `models` builds models, `capture` their whole graphs, `cut` pieces
of these, `vary` other dtypes and sizes of the pieces; `tables` stores all of it, `split` divides it into tasks for
training and for evaluation. `exchange` takes a finished dataset to other forms, `examine` says what is in it. `bundle`
made `data/tasks`.
"""
