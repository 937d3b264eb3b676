"""Calls as generators without I/O: each yields requests and pauses, and receives the answers.

Shared by the clients with and without asyncio.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar
from urllib.parse import urlsplit

from .errors import MayflyError, MayflyUnreachable

#: A failing test shows its own lines, not these.
__tracebackhide__ = True

T = TypeVar("T")

#: Seconds for which a request is retried.
_PATIENCE = 30.0
#: Seconds for an answer to begin, in addition to the time it is held back.
_ANSWER_TIMEOUT = 15.0
_FIRST_PAUSE = 0.05
_LONGEST_PAUSE = 2.0


@dataclass(frozen=True)
class Request:
    path: str
    method: str = "GET"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    token: str | None = None
    api_key: str | None = None
    #: Seconds for which the service may deliberately hold back the answer.
    held: float = 0.0
    #: A message as a file, in place of parameters.
    file: bytes | None = None

    @property
    def timeout(self) -> float:
        return self.held + _ANSWER_TIMEOUT

    @property
    def headers(self) -> dict[str, str]:
        headers = {}
        if self.token is not None:
            headers["authorization"] = f"Bearer {self.token}"
        if self.api_key is not None:
            headers["x-api-key"] = self.api_key
        if self.file is not None:
            headers["content-type"] = "message/rfc822"
        return headers

    @property
    def form(self) -> dict[str, str]:
        """Returns the parameters as text, without those that are None."""
        return {name: _to_text(value) for name, value in self.parameters.items() if value is not None}


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Lost:
    """A request without an answer. is_refused: there was no connection, so nothing has been done."""

    reason: str
    is_refused: bool
    #: The service's address.
    url: str


@dataclass(frozen=True)
class Pause:
    seconds: float


Call: TypeAlias = Generator[Request | Pause, Answer | Lost | None, T]


def call_bytes(request: Request, patience: float = _PATIENCE) -> Call[bytes]:
    """Retries until there is an answer or the time is up."""
    until = time.monotonic() + patience
    pause = _FIRST_PAUSE
    while True:
        got = yield request
        assert got is not None
        if isinstance(got, Answer) and got.status < 300:
            return got.body
        error, wait, may_again = _judge(got, request)
        wait = pause if wait is None else wait
        if not may_again or time.monotonic() + wait >= until:
            raise error
        yield Pause(wait)
        pause = min(pause * 2, _LONGEST_PAUSE)


def call_json(request: Request, patience: float = _PATIENCE) -> Call[dict[str, Any]]:
    body = yield from call_bytes(request, patience)
    answer: dict[str, Any] = json.loads(body)
    return answer


def _redirected(answer: Answer) -> MayflyError:
    """Names the origin alone, since the rest of the address may repeat a token."""
    parts = urlsplit(answer.headers.get("location", ""))
    to = f" to {parts.scheme}://{parts.netloc}" if parts.netloc else ""
    return MayflyError(
        f"The service redirects{to}, which is not followed: give the address of the service itself.",
        status=answer.status,
        code="redirected",
    )


def read_error(answer: Answer) -> MayflyError:
    if answer.status < 400:
        return _redirected(answer)
    try:
        body = json.loads(answer.body)
    except ValueError:
        # Not an answer of the service, but of something in between.
        body = {}
    if not isinstance(body, dict):
        body = {}
    return MayflyError(
        str(body.get("message", f"HTTP {answer.status}")),
        status=answer.status,
        code=str(body.get("code", f"http_{answer.status}")),
        parameter=body.get("parameter"),
        request_id=body.get("request_id"),
    )


def _judge(got: Answer | Lost, request: Request) -> tuple[Exception, float | None, bool]:
    """Returns the error, the seconds to wait before a retry if known, and whether to retry."""
    is_get = request.method == "GET"
    if isinstance(got, Lost):
        # An interrupted POST may have been carried out.
        return MayflyUnreachable(f"No answer from {got.url}: {got.reason}"), None, is_get or got.is_refused
    is_refused = got.status in (429, 503)
    may_again = is_refused or (is_get and got.status in (502, 504))
    return read_error(got), _retry_after(got), may_again


def _retry_after(answer: Answer) -> float | None:
    text = answer.headers.get("retry-after", "")
    return max(float(text), _FIRST_PAUSE) if text.isdigit() else None


def shown_url(url: str) -> str:
    """Returns the address without a name and password."""
    return re.sub(r"//[^/?#@]*@", "//", url)


def _to_text(value: Any) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    return str(value)
