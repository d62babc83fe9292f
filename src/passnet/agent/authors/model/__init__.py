"""The model author: a language model behind an OpenAI-compatible endpoint, or behind litellm, that calls tools.

`author` has the loop, `conversation` what is sent (made of the episode's records alone), `endpoint` who is asked,
`faults` what can go wrong there, `prompts` the words. Nothing here is imported before such an author is asked for.
"""
