"""Assertions about mail: its report, what an inbox has received, and snapshots of messages."""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Sequence
from typing import Literal

from ._mask import mask_mail
from .models import Finding, Message, MessageSummary
from .sync_client import Capture, Inbox

__all__ = ["assert_received", "assert_report", "mask_mail"]

#: A failing test shows its own lines, not these.
__tracebackhide__ = True

_RANKS = ("none", "info", "warning", "error")
_SHOWN_MAX = 20


def assert_report(
    inbox: Inbox | Capture,
    message: int | MessageSummary | Message,
    *,
    max: Literal["none", "info", "warning", "error"] = "warning",
    ignore: Sequence[str] = (),
) -> None:
    """Passes when the report on a message has no finding worse than `max`.

    ignore: rules that do not count, such as "links/http", or "support/*" for all of a kind.
    """
    __tracebackhide__ = True
    _check_inbox(inbox)
    if max not in _RANKS:
        raise ValueError(f"max must be one of {', '.join(_RANKS)}, not {max!r}")
    if isinstance(ignore, str) or not all(isinstance(rule, str) for rule in ignore):
        raise TypeError(f"ignore must be a list of rules, not {ignore!r}")
    report = inbox.report(message)
    failing = [
        finding
        for finding in report.findings
        if _RANKS.index(finding.severity) > _RANKS.index(max)
        and not any(_is_rule(finding.rule, ignored) for ignored in ignore)
    ]
    if not failing:
        return
    count = "a finding" if len(failing) == 1 else f"{len(failing)} findings"
    lines = [f"The report has {count} worse than {max}:", *map(_describe_finding, failing[:_SHOWN_MAX])]
    if len(failing) > _SHOWN_MAX:
        lines.append(f"and {len(failing) - _SHOWN_MAX} more")
    if report.omitted:
        lines.append(f"The report leaves out {report.omitted} further findings.")
    lines.append('A rule that does not matter here can be left out with `ignore=["…"]`.')
    raise AssertionError("\n".join(lines))


def assert_received(
    inbox: Inbox | Capture,
    *,
    subject: str | re.Pattern[str] | None = None,
    from_: str | re.Pattern[str] | None = None,
    to: str | re.Pattern[str] | None = None,
    contains: str | None = None,
    code: str | re.Pattern[str] | Literal[True] | None = None,
    timeout: float = 10.0,
) -> MessageSummary:
    """Passes when the inbox has received such a message, or does within `timeout` seconds, and returns it.

    Texts match anywhere, ignoring case. code: the code that the service found, or True for any.
    """
    __tracebackhide__ = True
    _check_inbox(inbox)
    wanted = _Wanted(subject, from_, to, contains, code)
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not 0 <= timeout < math.inf:
        raise TypeError(f"timeout must be a number of seconds, not {timeout!r}")
    until = time.monotonic() + timeout
    seen: list[MessageSummary] = []
    while True:
        after = seen[0].id if seen else 0
        fresh = inbox.messages_after(after, timeout=max(0.0, until - time.monotonic()))
        holding = None if contains is None else {one.id for one in inbox.messages(contains=contains)}
        for message in fresh:
            if wanted.why_not(message, holding) is None:
                return message
        seen[:0] = fresh
        if time.monotonic() >= until:
            break
    lines = [f"{inbox.email} has not received {wanted.describe()} within {timeout:g} s."]
    lines.append("What is there, newest first:" if seen else "Nothing is there.")
    lines += [f"  {_show_message(one)}: {wanted.why_not(one, holding) or 'it fits now'}" for one in seen[:10]]
    refused = [entry for entry in inbox.delivery_log() if entry.outcome == "refused"][:10]
    if refused:
        lines.append("What the service refused:")
        lines += [f"  mail from {entry.mail_from or '<>'}: {entry.reply}" for entry in refused]
    raise AssertionError("\n".join(lines))


def _check_inbox(inbox: object) -> None:
    if not isinstance(inbox, (Inbox, Capture)):
        raise TypeError(f"inbox must be an Inbox or Capture of Mayfly, not {type(inbox).__name__}")


class _Wanted:
    def __init__(
        self,
        subject: str | re.Pattern[str] | None,
        from_: str | re.Pattern[str] | None,
        to: str | re.Pattern[str] | None,
        contains: str | None,
        code: str | re.Pattern[str] | Literal[True] | None,
    ) -> None:
        for name, value in (("subject", subject), ("from_", from_), ("to", to), ("code", code)):
            if (
                value is not None
                and not isinstance(value, (str, re.Pattern))
                and not (name == "code" and value is True)
            ):
                raise TypeError(f"{name} must be a string or a compiled expression, not {value!r}")
        if contains is not None and not isinstance(contains, str):
            raise TypeError(f"contains must be a string, not {contains!r}")
        self.subject = subject
        self.from_ = from_
        self.to = to
        self.contains = contains
        self.code = code

    def why_not(self, message: MessageSummary, holding: set[int] | None) -> str | None:
        """Returns None for a message that is as wanted."""
        if not _fits(message.subject, self.subject):
            return f"its subject is not {_show(self.subject)}"
        if not _fits(f"{message.sender_name} <{message.sender_email}>", self.from_):
            return f"it is not from {_show(self.from_)}"
        if self.to is not None and not any(_fits(one, self.to) for one in message.recipients):
            return f"it is not to {_show(self.to)}, but to {', '.join(message.recipients)}"
        if self.code is not None:
            if message.code is None:
                return "no code was found in it"
            if isinstance(self.code, str) and message.code != self.code:
                return f"its code is {_show(message.code)}, not {_show(self.code)}"
            if isinstance(self.code, re.Pattern) and not self.code.search(message.code):
                return f"its code is {_show(message.code)}, which does not match {_show(self.code)}"
        if holding is not None and message.id not in holding:
            return f"it does not contain {_show(self.contains)}"
        return None

    def describe(self) -> str:
        parts = ["a message"]
        for word, value in (("with subject", self.subject), ("from", self.from_), ("to", self.to)):
            if value is not None:
                parts.append(f"{word} {_show(value)}")
        if self.code is True:
            parts.append("with a code")
        elif self.code is not None:
            parts.append(f"with code {_show(self.code)}")
        if self.contains is not None:
            parts.append(f"containing {_show(self.contains)}")
        return " ".join(parts)


def _fits(text: str, wanted: str | re.Pattern[str] | None) -> bool:
    if wanted is None:
        return True
    if isinstance(wanted, str):
        return wanted.lower() in text.lower()
    return wanted.search(text) is not None


def _show(value: object) -> str:
    return f"/{value.pattern}/" if isinstance(value, re.Pattern) else json.dumps(value, ensure_ascii=False)


def _show_message(message: MessageSummary) -> str:
    return f"{_show(message.subject)} from {message.sender_email or 'an unknown sender'}"


def _is_rule(rule: str, ignored: str) -> bool:
    return rule.startswith(ignored[:-1]) if ignored.endswith("/*") else rule == ignored


def _describe_finding(finding: Finding) -> str:
    place = ":".join(
        str(part) for part in (finding.part, finding.name, finding.line, finding.column) if part is not None
    )
    lines = [f"  {finding.severity} {finding.rule} at {place}", f"    {finding.message}", f"    {finding.advice}"]
    return "\n".join([*lines, f"    > {finding.excerpt}"] if finding.excerpt else lines)
