"""The name under which verifiers finds the environment: it looks for an importable package per taskset id."""

from passnet.errors import MissingExtra, optional_module

try:
    from passnet.agent.adapters.verifiers import PassTaskset, PassVerifiersEnv, load_environment
except ModuleNotFoundError as missing:
    if optional_module(missing) != "verifiers":
        raise
    raise MissingExtra("the environment", "verifiers") from missing

__all__ = ["PassTaskset", "PassVerifiersEnv", "load_environment"]
