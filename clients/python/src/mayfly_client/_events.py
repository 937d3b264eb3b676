"""Reads a session's events from a stream of text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
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

    type: "message.received", "message.deleted", "session.extended", "session.expired", or "reset": the log no longer
    reaches back to the requested place; list the messages again. Others may be added.
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
        self._text = ""

    @property
    def headers(self) -> dict[str, str]:
        headers = {"accept": "text/event-stream"}
        if self.last is not None:
            headers["last-event-id"] = self.last
        return headers

    def begin(self) -> None:
        """Drops the incomplete event of a broken connection."""
        self._text = ""

    def feed(self, text: str) -> Iterator[InboxEvent]:
        *blocks, self._text = re.split(r"\r?\n\r?\n", self._text + text)
        for block in blocks:
            event = self._parse(block)
            if event is not None:
                yield event

    def _parse(self, block: str) -> InboxEvent | None:
        fields: dict[str, list[str]] = {}
        for line in re.split(r"\r?\n", block):
            name, _, value = line.partition(":")
            fields.setdefault(name, []).append(value.removeprefix(" "))
        if "retry" in fields and fields["retry"][-1].isdigit():
            self.retry = int(fields["retry"][-1]) / 1000
        place = fields["id"][-1] if "id" in fields else None
        if place is not None:
            self.last = place
        if "event" not in fields:
            return None
        kind = fields["event"][-1]
        self.is_ended = kind == "session.expired"
        data = json.loads("\n".join(fields.get("data", ["{}"])))
        return InboxEvent(kind, int(place) if place else None, data)
