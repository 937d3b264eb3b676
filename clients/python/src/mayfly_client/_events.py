"""Reads a session's events from a stream of text."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ._decode import decode
from .models import MessageSummary

#: Seconds of silence after which a connection counts as lost; the service sends something every 25 s.
SILENCE_MAX = 60.0
#: Seconds for which an unreachable service is retried.
EVENTS_PATIENCE = 300.0


@dataclass(frozen=True)
class InboxEvent:
    """An entry of the session's log.

    type: "message.received", "message.deleted", "message.read", "message.unread", "session.extended",
    "session.expired", or "reset": the log no longer reaches back to the requested place; list the messages again.
    Others may be added.
    id: place in the log, usable as `after`; None for "reset".
    """

    type: str
    id: int | None
    data: dict[str, Any]

    @property
    def message(self) -> MessageSummary | None:
        """The message of "message.received", else None."""
        return decode(MessageSummary, self.data) if self.type == "message.received" else None


class EventReader:
    """Parses an event stream (HTML standard, §9.2.6) piece by piece, and remembers where to resume."""

    def __init__(self, after: int | None) -> None:
        self.last: str | None = None if after is None else str(after)
        self.retry = 2.0
        self.is_ended = False
        #: When something was last heard, on the monotonic clock.
        self.heard_at = time.monotonic()
        self._text = ""
        self._block: list[str] = []

    @property
    def headers(self) -> dict[str, str]:
        headers = {"accept": "text/event-stream"}
        if self.last is not None:
            headers["last-event-id"] = self.last
        return headers

    def begin(self, headers: Mapping[str, str]) -> None:
        """Drops the incomplete event of a broken connection; `headers` are those of the new one's answer."""
        self._text = ""
        self._block = []
        self.last = headers.get("last-event-id", self.last)

    def feed(self, text: str) -> Iterator[InboxEvent]:
        self.heard_at = time.monotonic()
        *lines, self._text = re.split(r"\r?\n", self._text + text)
        for line in lines:
            if line:
                self._take(line)
                continue
            event = self._parse(self._block)
            self._block = []
            if event is not None:
                yield event

    def _take(self, line: str) -> None:
        name, _, value = line.partition(":")
        if name == "retry" and value.strip().isdigit():
            # Counts at once.
            self.retry = int(value) / 1000
        elif name:
            self._block.append(line)

    def _parse(self, lines: list[str]) -> InboxEvent | None:
        fields: dict[str, list[str]] = {}
        for line in lines:
            name, _, value = line.partition(":")
            fields.setdefault(name, []).append(value.removeprefix(" "))
        if "event" not in fields:
            return None
        place = fields["id"][-1] if "id" in fields else None
        if place is not None:
            self.last = place
        kind = fields["event"][-1]
        self.is_ended = kind == "session.expired"
        data = json.loads("\n".join(fields.get("data", ["{}"])))
        return InboxEvent(kind, int(place) if place else None, data)
