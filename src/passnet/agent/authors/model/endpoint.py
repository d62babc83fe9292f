"""Sends requests to an OpenAI-compatible endpoint through the openai library, or to any provider through litellm."""

from __future__ import annotations

import os
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.util import find_spec
from typing import Any, Protocol
from urllib.parse import quote, quote_plus, unquote, unquote_plus, urlsplit

from passnet.agent.authors.base import Unusable
from passnet.agent.authors.model.deadline import within
from passnet.agent.authors.model.faults import fault_of, garbled, redacted
from passnet.agent.authors.model.options import ModelOptions, public_url
from passnet.errors import to_install

OPENAI_URL = "https://api.openai.com/v1"
# Fields that the libraries know by name. Everything else goes into the body unchanged.
_NAMED = frozenset({"model", "messages", "tools", "temperature", "seed"})
# More is a mistake of the endpoint. Records hold sums of it.
_MOST_USD = 1e6
# Variables that hold keys have names with these ends. A shorter value is no key and may be part of any word.
# What reading raises for an answer that is no such JSON, or is nested too deep.
_UNREADABLE = (ValueError, TypeError, RecursionError)
_KEY_NAME, _SHORTEST_KEY = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD)$"), 8


def amount(value: object) -> float | None:
    """The cost of one answer in US dollars. None for what is no cost of an answer."""
    return float(value) if isinstance(value, int | float) and 0 <= value <= _MOST_USD else None


@dataclass(frozen=True)
class ModelReply:
    """An answer as the endpoint gave it.

    `cost_usd` is the cost by the library's price table. None when the table has no price.
    """

    data: dict[str, Any]
    cost_usd: float | None = None


class Endpoint(Protocol):
    """An endpoint for requests. `address` has no secrets. Many threads use one object at once."""

    @property
    def address(self) -> str: ...

    def ask(self, body: Mapping[str, object], timeout_s: float) -> ModelReply:
        """One request, without retries, whose whole answer is there in `timeout_s` seconds. Raises Fault."""
        ...


class OpenAIEndpoint:
    """An endpoint by its address. The key is read from the environment, kept here, and written nowhere.

    Raises Unusable without the library, or without a key if the address is OpenAI's own.
    """

    def __init__(self, options: ModelOptions) -> None:
        _need("openai", "model")
        self._url = options.base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI_URL
        name = options.key_env or "OPENAI_API_KEY"
        self._key = os.environ.get(name, "").strip()
        if not self._key and (options.key_env or self._url == OPENAI_URL):
            raise Unusable(f"no key: {name} is not set", hint="or name an endpoint that needs none with --base-url")
        if "?" in self._url:  # the library writes the path of a request behind it
            what = "the address of an endpoint has a query, so no request can reach it"
            raise Unusable(what, field="--base-url", expected="an address without `?`", hint="keys: --key-env")

    @property
    def address(self) -> str:
        return public_url(self._url)

    def ask(self, body: Mapping[str, object], timeout_s: float) -> ModelReply:
        import openai

        rest = {name: value for name, value in body.items() if name not in _NAMED}
        named = {name: value for name, value in body.items() if name in _NAMED}
        # Servers without keys get a word as their key, because the library requires one. Each request has a client of
        # its own, so that its connection can be closed without those of other threads.
        try:
            client: Any = openai.OpenAI(api_key=self._key or "none", base_url=self._url, max_retries=0)
            with client:
                create = partial(client.chat.completions.create, **named, extra_body=rest or None, timeout=timeout_s)
                found = within(timeout_s, create, client.close)
        except (openai.OpenAIError, *_UNREADABLE) as error:
            raise fault_of(error, _secrets(self._key, self._url)) from error
        return ModelReply(_plain(found, _secrets(self._key, self._url)))


class LiteLLMEndpoint:
    """Any provider that litellm knows.

    litellm reads keys and addresses in its own way, unless options name others.
    """

    def __init__(self, options: ModelOptions) -> None:
        _need("litellm", "litellm")
        self._url = options.base_url
        self._key = os.environ.get(options.key_env, "").strip() if options.key_env else ""
        if options.key_env and not self._key:
            raise Unusable(f"no key: {options.key_env} is not set")

    @property
    def address(self) -> str:
        return public_url(self._url) if self._url else "litellm"

    @cached_property
    def _library(self) -> Any:
        # Without this, it fetches its table of prices when it is imported.
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        import litellm

        litellm.telemetry = False
        litellm.suppress_debug_info = True
        return litellm

    def ask(self, body: Mapping[str, object], timeout_s: float) -> ModelReply:
        library = self._library
        import openai

        where = {"api_base": self._url, "api_key": self._key}
        given = {name: value for name, value in where.items() if value}
        complete = partial(library.completion, **body, **given, timeout=timeout_s, num_retries=0, max_retries=0)
        try:
            found = within(timeout_s, complete, lambda: None)  # it has no handle by which the request can be ended
        except (openai.OpenAIError, *_UNREADABLE) as error:
            raise fault_of(error, _secrets(self._key, self._url or "")) from error
        return ModelReply(_plain(found, _secrets(self._key, self._url or "")), self._cost_usd(found))

    def _cost_usd(self, found: Any) -> float | None:
        try:
            return amount(self._library.completion_cost(completion_response=found))
        except Exception:  # noqa: BLE001  whatever it raises for a model without a price
            return None


def _need(package: str, extra: str) -> None:
    for name in (package, "jinja2"):
        if find_spec(name) is None:
            raise Unusable(f"{name} is not installed", hint=to_install(name, extra))


def _secrets(key: str, url: str) -> tuple[str, ...]:
    """Values that no record may show, the longest first.

    They are the key, the keys that a library reads by itself, and what an address holds besides its public part.
    """
    found = {value.strip() for name, value in os.environ.items() if _KEY_NAME.search(name)}
    found |= {key, url if url != public_url(url) else "", *_secrets_of(url)}
    return tuple(sorted((secret for secret in found if len(secret) >= _SHORTEST_KEY), key=len, reverse=True))


def _secrets_of(url: str) -> Iterator[str]:
    """User, password and values of the query, in every form in which a server sees them and may repeat them."""
    parts = urlsplit(url)
    given = parts.netloc.rpartition("@")[0]
    name, _, password = given.partition(":")
    rows = [row.partition("=") for row in parts.query.split("&")]
    for text in (name, password, given, parts.query, *(value or key for key, _, value in rows)):
        plain = unquote(text)
        yield from (text, plain, unquote_plus(text), quote(plain), quote(plain, safe=""), quote_plus(plain))
    basic = b64encode(f"{unquote(name)}:{unquote(password)}".encode()).decode()
    yield from (basic, basic.rstrip("="))


def _plain(found: Any, secrets: Sequence[str]) -> dict[str, object]:
    """The answer as JSON data without secrets. Raises Fault for anything else.

    Some servers answer with a page or an error and status 200.
    """
    try:
        data = redacted(found.model_dump(mode="json", exclude_none=True, warnings=False), secrets)
    except (AttributeError, *_UNREADABLE):
        raise garbled(redacted(found, secrets) if isinstance(found, str) else "not a JSON object") from None
    if not isinstance(data, dict) or not data.get("choices"):
        raise garbled(data)
    return data
