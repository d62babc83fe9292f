"""The bundled tasks: blocks of models, captured again by `python -m passnet.dataset.bundle`."""
