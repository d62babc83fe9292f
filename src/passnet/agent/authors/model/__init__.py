"""The model author: a language model that calls tools, behind an OpenAI-compatible endpoint or behind litellm.

`author` has the loop. `conversation` makes the requests from the episode's records alone. `endpoint` sends them.
`faults` lists the failures of an endpoint. `prompts` has the words. Nothing here is imported before such an author is
asked for.
"""
