"""Builds the error for a wait that timed out."""

from __future__ import annotations

import json
from collections.abc import Set
from datetime import datetime, timedelta

from ._match import Match
from .errors import MailTimeout, NearMiss
from .models import Delivery, MessageSummary, OtherMail, RefusedRecipient

#: A failing test shows its own lines, not these.
__tracebackhide__ = True

_SHOWN_MAX = 10


def explain_timeout(
    email: str,
    match: Match,
    what: str,
    *,
    returned: Set[int],
    waited: float,
    now: datetime,
    messages: tuple[MessageSummary, ...],
    deliveries: tuple[Delivery, ...],
    refused: tuple[RefusedRecipient, ...],
    other_mail: tuple[OtherMail, ...],
    service: str,
) -> MailTimeout:
    """Builds the error. returned: ids that earlier calls returned. waited: seconds. now: by the service's clock.

    Lists are newest first.
    """
    since = now - timedelta(seconds=waited + 1)
    misses = tuple(
        NearMiss(message, "returned by an earlier call" if message.id in returned else match.why_not(message))
        for message in messages[:_SHOWN_MAX]
    )
    recent = tuple(reversed([delivery for delivery in deliveries if delivery.at >= since]))
    lines = [f"No {match.describe(what)} came to {email} within {_seconds(waited)}."]
    if misses:
        lines.append("What is there:")
        lines += [f"  {_describe_miss(miss, now)}" for miss in misses]
    if len(messages) > _SHOWN_MAX:
        lines.append(f"  and {len(messages) - _SHOWN_MAX} older messages")
    if recent:
        lines.append("What the service answered senders meanwhile:")
        lines += [f"  {_describe_delivery(delivery)}" for delivery in recent[-_SHOWN_MAX:]]
    if not messages and not recent:
        lines.append(f"Nothing was sent to {email} that the service knows of.")
    shown = other_mail[:_SHOWN_MAX]
    if shown:
        lines.append("What came for others since the inbox was made:")
        lines += [f"  {_describe_other(mail, now)}" for mail in shown]
    if refused:
        lines.append("Addresses like it that mail was refused for:")
        lines += [f"  {_describe_refused(recipient, now)}" for recipient in refused]
    lines.append(service)
    return MailTimeout(
        "\n".join(lines),
        email=email,
        near_misses=misses,
        deliveries=recent,
        refused_recipients=refused,
        other_mail=shown,
    )


def _describe_other(mail: OtherMail, now: datetime) -> str:
    sender = mail.sender_email or "an unknown sender"
    subject = json.dumps(mail.subject, ensure_ascii=False)
    return f"{_age(mail.received_at, now)} ago, {subject} from {sender} to {', '.join(mail.recipients)}"


def _describe_miss(miss: NearMiss, now: datetime) -> str:
    message = miss.message
    sender = message.sender_email or "an unknown sender"
    return f"{_age(message.received_at, now)} ago, {json.dumps(message.subject, ensure_ascii=False)} from {sender}: {miss.reason}"


def _describe_refused(refused: RefusedRecipient, now: datetime) -> str:
    return f"{_age(refused.at, now)} ago, one RCPT to {refused.recipient} was refused: unknown ({refused.reply})"


def _age(at: datetime, now: datetime) -> str:
    return _seconds(max(0.0, (now - at).total_seconds()))


def _describe_delivery(delivery: Delivery) -> str:
    sender = "<>" if delivery.mail_from is None else delivery.mail_from
    return f"{delivery.at:%H:%M:%S} {delivery.outcome} mail from {sender}: {delivery.reply}"


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f}".removesuffix(".0") + " s"
