"""The model author's loop: it asks the model, makes the calls, and tells the results, until the episode ends."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from passnet.agent.authors.base import GivesUp, Unusable
from passnet.agent.authors.model import answer, prompts
from passnet.agent.authors.model.conversation import TEXT, TOOLS, Conversation, ToolCall
from passnet.agent.authors.model.endpoint import Endpoint, ModelReply
from passnet.agent.authors.model.faults import Fault, FaultKind
from passnet.agent.authors.model.options import ModelOptions
from passnet.agent.authors.model.retries import OutOfTime, RetryPolicy
from passnet.agent.record.exports.turns import start_of
from passnet.agent.record.names import DEFAULT_STEPS, ExitReason

if TYPE_CHECKING:
    from passnet.agent.env.env import PassEnv

# The author gives up after so many answers without a call. After each earlier one the model is told what was missing.
MAX_ANSWERS_WITHOUT_CALL = 3
# Steps in a row that repeat earlier ones. The first number warns the model, and the second ends the episode.
LOOP_WARNS, LOOP_ENDS = 5, 10
# Room for an answer in the model's window, if the request does not limit answers itself.
_ANSWER_TOKENS = 2048
# The range of seeds that endpoints accept.
_SEEDS = 2**31


class ModelAuthor:
    """A model at an endpoint. It keeps nothing between episodes. All that it uses is in an episode's records."""

    default_steps = DEFAULT_STEPS
    concurrent = True
    resumes = True

    def __init__(
        self,
        name: str,
        model: str,
        endpoint: Endpoint,
        options: ModelOptions,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name, self.model = name, model
        self._endpoint, self._options, self._sleep = endpoint, options, sleep

    def settings(self) -> dict[str, object]:
        return {
            "model": self.model,
            "endpoint": self._endpoint.address,
            **self._options.recorded(),
            "prompts": prompts.prompts_hash(),
        }

    def play(self, env: PassEnv) -> ExitReason | None:
        while not env.done:
            conversation = Conversation(env.records)
            pending = conversation.pending()
            if conversation.said < len(_FIRST_MESSAGES):
                _FIRST_MESSAGES[conversation.said](self, env)
            elif conversation.without_call() > MAX_ANSWERS_WITHOUT_CALL:
                raise GivesUp(ExitReason.NO_TOOL_CALL, _no_call(conversation))
            elif pending:
                _perform(env, pending[0])
            elif conversation.idle() >= LOOP_ENDS:
                raise GivesUp(ExitReason.LOOP, f"{conversation.idle()} steps in a row did what had been done before")
            elif conversation.idle() >= LOOP_WARNS and not conversation.told_of_loop():
                env.message("user", prompts.render("loop", count=conversation.idle()), about="loop")
            else:
                self._ask(env, conversation)
        return None

    # --- asking ----------------------------------------------------------------------------------------------

    def tell_rules(self, env: PassEnv) -> None:
        text = self._options.text_tools
        words = prompts.system(env.device, env.policy, text_tools=text)
        env.message("system", words, format=TEXT if text else TOOLS)

    def tell_task(self, env: PassEnv) -> None:
        env.message("user", start_of(env.records).opening)

    def _ask(self, env: PassEnv, conversation: Conversation) -> None:
        """Ask for one answer and record it. If the endpoint takes no tools, record how to work without them."""
        self._check_room(conversation)
        try:
            found, failed = self._retry_policy(env, conversation).ask(lambda: self._answer(env, conversation))
        except OutOfTime:
            raise GivesUp(ExitReason.TIME, "no time is left to ask the endpoint again") from None
        except Fault as fault:
            if fault.kind is FaultKind.NO_TOOLS and not conversation.answered and not conversation.text_tools:
                env.message("user", prompts.text_format(), format=TEXT, refused=fault.text)
                return
            raise self._end(fault, conversation) from fault
        extra = {**found.about, "format": TEXT if conversation.text_tools else TOOLS, **self._drawn(env)}
        if found.calls and not conversation.text_tools:
            extra["calls"] = list(found.calls)
        if failed:
            extra["failed_tries"] = failed
        env.message("assistant", found.text, found.usage, **{"model": self.model, **extra})
        self._check_known(env, found)

    def _answer(self, env: PassEnv, conversation: Conversation) -> answer.Answer:
        left = env.left_s()
        timeout_s = self._options.timeout_s if left is None else max(1.0, min(self._options.timeout_s, left))
        reply: ModelReply = self._endpoint.ask(self._body(env, conversation), timeout_s)
        return answer.read(reply, self._options.price, conversation.call_ids)

    def _body(self, env: PassEnv, conversation: Conversation) -> dict[str, object]:
        tools = {} if conversation.text_tools else {"tools": env.tools()}
        return {
            "model": self.model,
            "messages": conversation.messages(),
            **tools,
            **self._drawn(env),
            **self._options.body,
        }

    def _drawn(self, env: PassEnv) -> dict[str, object]:
        """The settings that decide how answers are drawn. They are sent, and recorded with each answer."""
        fields = {"temperature": self._options.temperature, "seed": env.seed % _SEEDS}
        return {name: value for name, value in fields.items() if name not in self._options.omit}

    def _retry_policy(self, env: PassEnv, conversation: Conversation) -> RetryPolicy:
        rng = random.Random(f"{env.seed}/{len(env.records)}")
        return RetryPolicy(self._options.retries, rng, self._sleep, env.left_s, known=conversation.answered)

    # --- when it cannot go on --------------------------------------------------------------------------------

    def _check_room(self, conversation: Conversation) -> None:
        """End the episode before a request that is too long for the model's window, if its size is known."""
        window = self._options.context_tokens
        limits = (self._options.body.get(name) for name in ("max_completion_tokens", "max_tokens"))
        room = next((limit for limit in limits if isinstance(limit, int)), _ANSWER_TOKENS)
        expected = conversation.expected_tokens()
        if window and expected + room > window:
            told = f"about {expected} tokens so far and {room} for an answer do not fit into {window}"
            raise GivesUp(ExitReason.CONTEXT, told)

    def _check_known(self, env: PassEnv, found: answer.Answer) -> None:
        """Refuse a limit that cannot be kept. It is better to have no run than a run without the limit."""
        if env.budget.cost_usd and found.usage.cost_usd is None:
            raise Unusable(f"{self.name} does not tell what an answer costs", field="--max-cost", hint="give --price")
        if env.budget.tokens and found.usage.prompt_tokens is None:
            raise Unusable(f"{self.name} does not tell how many tokens it takes", field="--max-tokens")

    def _end(self, fault: Fault, conversation: Conversation) -> Exception:
        """Handle a fault that stays.

        Two kinds of fault end the run: one that the user must correct, and an endpoint that never answered in the
        episode. The episode then stays open, so the same command goes on with it. Otherwise the episode ends with its
        best pass set.
        """
        if fault.kind is FaultKind.CONTEXT:
            return GivesUp(ExitReason.CONTEXT, fault.text)
        if fault.kind is FaultKind.SETUP or not conversation.answered:
            hint = fault.hint or (_omit_hint(fault.text) if fault.kind is FaultKind.REQUEST else None)
            return Unusable(f"{self.name} at {self._endpoint.address}: {fault.text}", hint=hint)
        return GivesUp(ExitReason.ENDPOINT, fault.text)


# The messages before the first request. Each is a record of its own, because an interruption may come between.
_FIRST_MESSAGES = (ModelAuthor.tell_rules, ModelAuthor.tell_task)


def _perform(env: PassEnv, call: ToolCall) -> None:
    # A call in text gets the id of its step. It still belongs to the answer.
    call_id = call.call_id or (f"call_{env.used.steps + 1}" if call.tool else None)
    if call.problem is not None:
        env.malformed(call.tool, call.problem, call_id, call.raw)
    else:
        env.call(call.tool, call.arguments, call_id)


def _no_call(conversation: Conversation) -> str:
    hint = "" if conversation.text_tools else "; if it writes calls as text, use --text-tools"
    return f"{conversation.without_call()} answers in a row without a tool call{hint}"


def _omit_hint(text: str) -> str | None:
    named = next((name for name in ("temperature", "seed") if name in text.lower()), None)
    return f"--omit {named} leaves it out" if named is not None else None
