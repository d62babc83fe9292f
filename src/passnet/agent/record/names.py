"""The reasons for an episode's end, its limits, and the authors. The module is free of torch for the command line."""

from __future__ import annotations

from enum import StrEnum


class ExitReason(StrEnum):
    """The reason why an episode ended.

    All reasons except `interrupted` and `infrastructure` are final. Resuming a run does not change an episode with a
    final reason.
    """

    SUBMITTED = "submitted"
    AUTHOR_STOPPED = "author_stopped"
    STEPS = "steps_exhausted"
    EVALUATIONS = "evaluations_exhausted"
    TOKENS = "tokens_exhausted"
    COST = "cost_exhausted"
    TIME = "time_exhausted"
    NO_TOOL_CALL = "no_tool_call"
    LOOP = "same_call_loop"
    CONTEXT = "context_exhausted"
    ENDPOINT = "endpoint_error"
    AUTHOR_ERROR = "author_error"
    INFRASTRUCTURE = "infrastructure"
    INTERRUPTED = "interrupted"

    @property
    def final(self) -> bool:
        return self not in {ExitReason.INFRASTRUCTURE, ExitReason.INTERRUPTED}


AUTHORS = {
    "distill": "the embedded author: takes Inductor's kernels apart and puts better ones together; needs no model",
    "openai:MODEL": "a model behind an OpenAI-compatible endpoint: OPENAI_API_KEY, OPENAI_BASE_URL or --base-url",
    "litellm:MODEL": "a model of any provider that litellm knows, by its name there: provider/model",
    "replay:FILE": "plays the actions of a recorded episode (episode.jsonl) or of a list of actions (JSON)",
}
MODELS = frozenset({"openai", "litellm"})
DEFAULT_STEPS = 50
STARTING_PASSES = {
    "task": "the task's own passes",
    "AUTHOR": "what that author makes first",
    "RUN": "the best of another run",
}
