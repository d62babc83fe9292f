"""The name under which verifiers finds the environment: it looks for an importable package per taskset id."""

from passnet.errors import UsageError

try:
    from passnet.agent.adapters.verifiers import PassTaskset, PassVerifiersEnv, load_environment
except ModuleNotFoundError as missing:
    if (missing.name or "").partition(".")[0] != "verifiers":
        raise
    raise UsageError(
        "the environment needs the package verifiers", hint="pip install 'passnet[verifiers]'"
    ) from missing

__all__ = ["PassTaskset", "PassVerifiersEnv", "load_environment"]
