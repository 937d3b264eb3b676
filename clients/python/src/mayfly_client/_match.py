"""Conditions on a message, and the reasons why a message does not meet them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from .models import Message, MessageLink, MessageSummary


@dataclass(frozen=True)
class Match:
    """All given conditions must hold; texts match anywhere, ignoring case."""

    from_: str | None = None
    to: str | None = None
    subject: str | None = None
    contains: str | None = None
    has_code: bool | None = None
    #: Id of a message; only later ones match.
    after: int | None = None
    #: `otp`, `pin`, `pickup`, `password`, `backup` or `quoted`.
    code_kind: str | None = None
    #: A search as a person types it: words, phrases, `from:ann`, `subject:order`, `has:attachment`, `is:unread`.
    q: str | None = None

    @property
    def parameters(self) -> Mapping[str, Any]:
        return {
            "from": self.from_,
            "to": self.to,
            "subject": self.subject,
            "contains": self.contains,
            "has_code": self.has_code,
            "code_kind": self.code_kind,
            "q": self.q,
            "after": self.after,
        }

    def describe(self, what: str) -> str:
        parts = [what]
        if self.code_kind is not None:
            parts.append(f"with a code of kind {self.code_kind}")
        elif self.has_code:
            parts.append("with a code")
        for word, value in (
            ("from", self.from_),
            ("to", self.to),
            ("with subject", self.subject),
            ("containing", self.contains),
            ("found by", self.q),
        ):
            if value is not None:
                parts.append(f"{word} {json.dumps(value, ensure_ascii=False)}")
        return " ".join(parts)

    def why_not(self, message: MessageSummary) -> str:
        """Returns the reason why a message did not match, as far as the list shows it."""
        if self.from_ is not None and not _holds(f"{message.sender_name} <{message.sender_email}>", self.from_):
            return f"not from {json.dumps(self.from_, ensure_ascii=False)}"
        if self.to is not None and not any(_holds(recipient, self.to) for recipient in message.recipients):
            return f"not to {json.dumps(self.to, ensure_ascii=False)}, but to {', '.join(message.recipients)}"
        if self.subject is not None and not _holds(message.subject, self.subject):
            return "another subject"
        if self.has_code and message.code is None:
            return "no code in it"
        if self.after is not None and message.id <= self.after:
            return f"not after message {self.after}"
        return "no match in its text or links"


def find_code(message: Message, kind: str | None) -> str | None:
    """Returns the code of a message: the one that lists show, or the first of a kind."""
    if kind is None and message.code is not None:
        return message.code
    for code in message.codes:
        if code.kind == kind or (kind is None and code.kind != "quoted"):
            return code.value
    return None


def find_link(message: Message, kind: str | None, host: str | None) -> MessageLink | None:
    """Returns the first matching link. host: the link's host or a parent domain of it."""
    for link in message.links:
        if (kind is None or link.kind == kind) and (host is None or _is_host_of(link.url, host.lower())):
            return link
    return None


def _is_host_of(url: str, host: str) -> bool:
    try:
        found = urlsplit(url).hostname or ""
    except ValueError:
        return False
    return found == host or found.endswith(f".{host}")


def _holds(text: str, part: str) -> bool:
    return part.lower() in text.lower()
