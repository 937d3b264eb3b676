"""The operations of an inbox, as calls without I/O."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, TypeVar

from ._calls import Call, Request, call_bytes, call_json
from ._decode import decode, to_time
from ._match import Match, find_code, find_link
from ._siblings import Siblings
from ._timeout import explain_timeout
from .errors import MayflyError, MayflyUnreachable
from .models import Delivery, MailReport, Message, MessageLink, MessageSummary, OtherMail, RefusedRecipient

#: A failing test shows its own lines, not these.
__tracebackhide__ = True

T = TypeVar("T")

#: Seconds for which the service is asked to hold back one answer.
_LONGEST_POLL = 30.0
#: Kinds of links that the service can filter by; others are filtered here.
_FILTERED_KINDS = ("verify", "login", "reset")
#: Seconds after the end of the wait in which the service may still answer.
_LAST_ANSWER = 5.0
#: Newest messages of each other inbox that an error may list.
_OTHER_MAIL_MAX = 10
#: Seconds for which a request for them is retried.
_HINT_PATIENCE = 2.0


@dataclass
class InboxCalls:
    email: str
    token: str
    expires_at: datetime
    #: Which service is asked: a sentence.
    service: str
    siblings: Siblings
    _returned: dict[str, set[int]] = field(default_factory=dict)
    #: The newest message that calls for the same thing have looked at: the next one begins there.
    _seen: dict[tuple[str, Match], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.siblings.add(self.email, self.token)

    def address(self, tag: str) -> str:
        local, _, domain = self.email.rpartition("@")
        if not re.fullmatch(r"[A-Za-z0-9._-]+", tag):
            raise ValueError(f"Not a tag: {tag!r}")
        if re.fullmatch(r"(gmail|googlemail)\.com", domain, re.IGNORECASE):
            raise ValueError("An alias of a Gmail account takes no further tag.")
        return f"{local}+{tag}@{domain}"

    def wait_for_message(self, match: Match, timeout: float) -> Call[Message]:
        return self._wait("message", "message", match, {}, lambda message: message, timeout)

    def wait_for_code(self, match: Match, timeout: float) -> Call[str]:
        kind = match.code_kind
        what = "code" if kind is None else f"{kind} code"
        return self._wait(what, "message", match, {}, lambda message: find_code(message, kind), timeout)

    def wait_for_link(self, match: Match, kind: str | None, host: str | None, timeout: float) -> Call[MessageLink]:
        what = "link" if kind is None else f"{kind} link"
        if host is not None:
            what += f" to {host}"
        return self._wait(
            what,
            f"message with a {what}",
            match,
            {"link": kind if kind in _FILTERED_KINDS else None},
            lambda message: find_link(message, kind, host),
            timeout,
        )

    def messages(self, match: Match) -> Call[tuple[MessageSummary, ...]]:
        answer = yield from self._json("/check-mail", **match.parameters)
        return tuple(decode(MessageSummary, message) for message in answer["messages"])

    def read(self, message_id: int) -> Call[Message]:
        answer = yield from self._json("/read-mail", id=message_id)
        return decode(Message, answer["message"])

    def messages_after(self, after: int, timeout: float) -> Call[tuple[MessageSummary, ...]]:
        held = min(timeout, _LONGEST_POLL)
        parameters = {"after": after, "wait": _round_up(held)}
        request = Request("/check-mail", parameters=parameters, token=self.token, held=held + 1)
        answer = yield from call_json(request, timeout + _LAST_ANSWER)
        return tuple(decode(MessageSummary, message) for message in answer["messages"])

    def report(self, message_id: int) -> Call[MailReport]:
        answer = yield from self._json("/report", id=message_id)
        return decode(MailReport, answer["report"])

    def raw(self, message_id: int) -> Call[bytes]:
        return call_bytes(Request("/raw-mail", parameters={"id": message_id}, token=self.token))

    def import_mail(self, file: bytes) -> Call[int]:
        answer = yield from call_json(Request("/import", method="POST", token=self.token, file=file))
        return int(answer["id"])

    def export_mail(self) -> Call[bytes]:
        return call_bytes(Request("/export", token=self.token))

    def attachment(self, message_id: int, part: str) -> Call[bytes]:
        parameters = {"id": message_id, "part": part}
        return call_bytes(Request("/attachment", parameters=parameters, token=self.token))

    def delete(self, message_id: int) -> Call[None]:
        yield from self._json("/delete-mail", "POST", id=message_id)

    def delete_all(self) -> Call[None]:
        yield from self._json("/delete-mail", "POST", all=True)

    def delivery_log(self) -> Call[tuple[Delivery, ...]]:
        return (yield from self._session()).deliveries

    def extend(self, lifetime: int | None) -> Call[datetime]:
        answer = yield from self._json("/extend-session", "POST", lifetime=lifetime)
        self.expires_at = to_time(answer["expires_at"])
        return self.expires_at

    def end(self) -> Call[None]:
        try:
            yield from self._json("/end-session", "POST")
        except MayflyError as error:
            if error.status != 410 and error.code != "unknown_token":
                raise
        self.siblings.remove(self.email)

    def _wait(
        self,
        kind: str,
        what: str,
        match: Match,
        parameters: dict[str, Any],
        pick: Callable[[Message], T | None],
        timeout: float,
    ) -> Call[T]:
        """Waits of the same kind never return a message twice."""
        started = time.monotonic()
        returned = self._returned.setdefault(kind, set())
        same = (kind, match)
        after = max(match.after or 0, self._seen.get(same, 0))
        while True:
            left = max(0.0, started + timeout - time.monotonic())
            held = min(left, _LONGEST_POLL)
            request = Request(
                "/wait-mail",
                parameters={**match.parameters, **parameters, "after": after, "timeout": _round_up(held)},
                token=self.token,
                held=held + 1,
            )
            answer = yield from call_json(request, left + _LAST_ANSWER)
            if answer["message"] is not None:
                message = decode(Message, answer["message"])
                after = message.id
                self._seen[same] = max(after, self._seen.get(same, 0))
                picked = None if message.id in returned else pick(message)
                if picked is not None:
                    returned.add(message.id)
                    return picked
            elif time.monotonic() >= started + timeout:
                messages = yield from self.messages(Match())
                session = yield from self._session()
                other_mail = yield from self._mail_of_siblings(session.created_at)
                raise explain_timeout(
                    self.email,
                    match,
                    what,
                    returned=returned,
                    waited=time.monotonic() - started,
                    now=session.now,
                    messages=messages,
                    deliveries=session.deliveries,
                    refused=session.near_misses,
                    other_mail=tuple(
                        sorted((*session.other_mail, *other_mail), key=lambda mail: mail.received_at, reverse=True)
                    ),
                    service=self.service,
                )

    def _mail_of_siblings(self, since: datetime) -> Call[list[OtherMail]]:
        """Leaves out what cannot be read: its errors must not replace the one that the list is for."""
        found: list[OtherMail] = []
        for token in self.siblings.tokens_besides(self.email):
            request = Request("/check-mail", parameters={"limit": _OTHER_MAIL_MAX}, token=token)
            try:
                answer = yield from call_json(request, _HINT_PATIENCE)
            except MayflyError:
                continue
            except MayflyUnreachable:
                break
            found += [decode(OtherMail, message) for message in answer["messages"]]
        return [mail for mail in found if mail.received_at >= since]

    def _session(self) -> Call[_Session]:
        answer = yield from self._json("/session")
        return _Session(
            deliveries=tuple(decode(Delivery, delivery) for delivery in answer["deliveries"]),
            # Absent from older services.
            near_misses=tuple(decode(RefusedRecipient, refused) for refused in answer.get("near_misses", ())),
            # Only from `mayfly dev`.
            other_mail=tuple(decode(OtherMail, mail) for mail in answer.get("other_mail", ())),
            created_at=to_time(answer["created_at"]),
            now=to_time(answer["expires_at"]) - timedelta(seconds=answer["expires_in"]),
        )

    def _json(self, path: str, method: str = "GET", **parameters: Any) -> Call[dict[str, Any]]:
        return call_json(Request(path, method=method, parameters=parameters, token=self.token))


@dataclass(frozen=True)
class _Session:
    """The service's data about the inbox. now: the current time by the service's clock."""

    deliveries: tuple[Delivery, ...]
    near_misses: tuple[RefusedRecipient, ...]
    other_mail: tuple[OtherMail, ...]
    created_at: datetime
    now: datetime


@dataclass(frozen=True)
class SmtpLogin:
    """The SMTP server and login for sending mail to a capture."""

    host: str
    port: int
    username: str
    password: str


@dataclass
class CaptureCalls(InboxCalls):
    smtp: SmtpLogin = field(kw_only=True)

    def address(self, tag: str) -> str:
        if not re.fullmatch(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*", tag):
            raise ValueError(f"Not a local part: {tag!r}")
        return f"{tag}@{self.email.rpartition('@')[2]}"


def open_inbox(answer: dict[str, Any], service: str, siblings: Siblings, *, token: str | None = None) -> InboxCalls:
    return InboxCalls(answer["email"], token or answer["token"], to_time(answer["expires_at"]), service, siblings)


def open_capture(answer: dict[str, Any], service: str, siblings: Siblings) -> CaptureCalls:
    smtp = decode(SmtpLogin, answer["smtp"])
    return CaptureCalls(answer["email"], answer["token"], to_time(answer["expires_at"]), service, siblings, smtp=smtp)


def _round_up(seconds: float) -> int:
    return int(-(-seconds // 1))
