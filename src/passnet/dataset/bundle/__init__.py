"""The bundled tasks: which blocks of which models, captured again by `python -m passnet.dataset.bundle`."""
