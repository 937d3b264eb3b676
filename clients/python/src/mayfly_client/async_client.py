"""The client for programs with asyncio."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from datetime import datetime
from types import TracebackType
from typing import Any, Generic, Literal, TypeVar

import httpx

from ._calls import Answer, Call, Lost, Pause, Request, read_error, shown_url
from ._events import EVENTS_PATIENCE, SILENCE_MAX, EventReader, InboxEvent
from ._inbox_calls import CaptureCalls, InboxCalls, SmtpLogin
from ._match import Match
from ._service_calls import ServiceCalls, describe_service, service_key, service_url
from .errors import MayflyUnreachable
from .models import Attachment, Delivery, Domain, MailReport, Message, MessageLink, MessageSummary

#: A failing test shows its own lines, not these.
__tracebackhide__ = True

T = TypeVar("T")
CallsT = TypeVar("CallsT", bound=InboxCalls)
#: The class that `with` names, a subclass included.
MayflyT = TypeVar("MayflyT", bound="AsyncMayfly")
InboxT = TypeVar("InboxT", bound="_Inbox[Any]")


class _Network:
    def __init__(self, url: str) -> None:
        self.url = url
        self.http = httpx.AsyncClient(follow_redirects=False, limits=httpx.Limits(max_connections=None))

    async def run(self, call: Call[T]) -> T:
        """Runs a call to its end."""
        got: Answer | Lost | None = None
        try:
            while True:
                wanted = call.send(got)
                if isinstance(wanted, Pause):
                    await asyncio.sleep(wanted.seconds)
                    got = None
                else:
                    got = await self._ask(wanted)
        except StopIteration as stop:
            return stop.value  # type: ignore[no-any-return]

    async def _ask(self, request: Request) -> Answer | Lost:
        try:
            response = await self.http.request(
                request.method,
                self.url + request.path,
                params=request.form if request.method == "GET" else None,
                data=request.form if request.method == "POST" and request.file is None else None,
                content=request.file,
                headers=request.headers,
                timeout=request.timeout,
            )
        except httpx.TransportError as error:
            return Lost(str(error) or type(error).__name__, isinstance(error, httpx.ConnectError), shown_url(self.url))
        return Answer(response.status_code, response.headers, response.content)


class AsyncMayfly:
    """A client of one service, which creates inboxes.

    url: URL of the service with its base path; by default MAYFLY_URL, else http://127.0.0.1:8080.
    api_key: MAYFLY_API_KEY by default; required where the operator has created keys.
    """

    def __init__(self, url: str | None = None, api_key: str | None = None) -> None:
        self.url = service_url(url)
        self._network = _Network(self.url)
        self._calls = ServiceCalls(service_key(api_key), describe_service(self.url))

    async def create_inbox(
        self,
        *,
        prefix: str | None = None,
        style: Literal["words", "random"] | None = None,
        domain: str | int | None = None,
        gmail: bool | Literal["dot", "plus"] = False,
        lifetime: int | None = None,
    ) -> AsyncInbox:
        """Creates an inbox.

        prefix: local part; random by default. style: of a random one: words that can be spoken, the default, or
        characters without a pattern. domain: name or id; by default the service chooses. gmail: creates an alias of
        one of the operator's Gmail accounts, with dots or a plus sign. lifetime: seconds; by default the service's
        usual lifetime.

        Raises MayflyError, with code "address_taken" among others, or MayflyUnreachable.
        """
        asked = self._calls.create_inbox(domain, gmail, prefix=prefix, style=style, lifetime=lifetime)
        calls = await self._network.run(asked)
        return AsyncInbox(self._network, calls)

    async def create_capture(
        self,
        *,
        domain: str | int | None = None,
        lifetime: int | None = None,
        on_full: Literal["refuse", "drop_oldest"] | None = None,
    ) -> AsyncCapture:
        """Creates an inbox for any recipient.

        on_full: whether a full inbox refuses mail or drops the oldest message. Raises MayflyError or MayflyUnreachable.
        """
        return AsyncCapture(
            self._network, await self._network.run(self._calls.create_capture(domain, lifetime, on_full))
        )

    async def reopen(self, token: str) -> AsyncInbox:
        """Returns the inbox of a token. Raises MayflyError when the token is unknown or the inbox has ended."""
        return AsyncInbox(self._network, await self._network.run(self._calls.reopen(token)))

    async def domains(self) -> tuple[Domain, ...]:
        return await self._network.run(self._calls.domains())

    async def close(self) -> None:
        await self._network.http.aclose()

    async def __aenter__(self: MayflyT) -> MayflyT:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()


class _Inbox(Generic[CallsT]):
    """The operations common to both kinds of inboxes."""

    def __init__(self, network: _Network, calls: CallsT) -> None:
        self._network = network
        self._calls = calls

    @property
    def email(self) -> str:
        return self._calls.email

    @property
    def token(self) -> str:
        """The only key to the inbox."""
        return self._calls.token

    @property
    def expires_at(self) -> datetime:
        return self._calls.expires_at

    def address(self, tag: str) -> str:
        """Returns the address with a plus tag, whose mail comes here too; for a capture, any address at its domain.

        Raises ValueError for an invalid tag, or an address that takes none, such as an alias of a Gmail account.
        """
        return self._calls.address(tag)

    async def wait_for_message(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        subject: str | None = None,
        contains: str | None = None,
        has_code: bool | None = None,
        code_kind: str | None = None,
        q: str | None = None,
        after: int | None = None,
        timeout: float = 30.0,
    ) -> Message:
        """Waits for the oldest matching message that no earlier call on this object returned, and returns it.

        Messages already there count. Texts match anywhere, ignoring case. q: a search as a person types it, such as
        'from:ann "of today" has:attachment'. after: id of a message; only later ones match. timeout: seconds.

        Raises MailTimeout when none came in time, MayflyError when the inbox has ended, or MayflyUnreachable.
        """
        match = Match(from_, to, subject, contains, has_code, after, code_kind, q)
        return await self._network.run(self._calls.wait_for_message(match, timeout))

    async def wait_for_code(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        subject: str | None = None,
        contains: str | None = None,
        code_kind: str | None = None,
        q: str | None = None,
        after: int | None = None,
        timeout: float = 30.0,
    ) -> str:
        """Waits for the oldest message with a code that no earlier call used, and returns the code.

        code_kind: "otp", "pin", "pickup", "password", "backup" or "quoted"; one of the first three when absent.

        Raises the errors of wait_for_message.
        """
        has_code = True if code_kind is None else None
        match = Match(from_, to, subject, contains, has_code, after, code_kind, q)
        return await self._network.run(self._calls.wait_for_code(match, timeout))

    async def wait_for_link(
        self,
        *,
        kind: str | None = None,
        host: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        subject: str | None = None,
        contains: str | None = None,
        q: str | None = None,
        after: int | None = None,
        timeout: float = 30.0,
    ) -> MessageLink:
        """Waits for the oldest message with a matching link that no earlier such call used, and returns the first.

        kind: "verify", "login", "reset" and others. host: the link's host or a parent domain of it.

        Raises the errors of wait_for_message.
        """
        match = Match(from_, to, subject, contains, after=after, q=q)
        return await self._network.run(self._calls.wait_for_link(match, kind, host, timeout))

    async def messages(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        subject: str | None = None,
        contains: str | None = None,
        has_code: bool | None = None,
        code_kind: str | None = None,
        q: str | None = None,
    ) -> tuple[MessageSummary, ...]:
        """Returns the matching messages, newest first."""
        return await self._network.run(
            self._calls.messages(Match(from_, to, subject, contains, has_code, None, code_kind, q))
        )

    async def read(self, message: int | MessageSummary) -> Message:
        """Returns a whole message, and marks it as read."""
        return await self._network.run(self._calls.read(_id_of(message)))

    async def messages_after(self, after: int, *, timeout: float = 0.0) -> tuple[MessageSummary, ...]:
        """Returns the messages after that id, newest first; waits up to `timeout` seconds when there are none.

        Unlike wait_for_message, it may return a message again.
        """
        return await self._network.run(self._calls.messages_after(after, timeout))

    async def report(self, message: int | MessageSummary | Message) -> MailReport:
        """Reports what the sender of a message would like to know before sending it; it stays unread."""
        return await self._network.run(self._calls.report(_id_of(message)))

    async def raw(self, message: int | MessageSummary | Message) -> bytes:
        """Returns the raw bytes, preceded by two header fields of the service."""
        return await self._network.run(self._calls.raw(_id_of(message)))

    async def import_mail(self, file: bytes) -> int:
        """Stores the message of an .eml file as if it had just arrived. Returns its id."""
        return await self._network.run(self._calls.import_mail(file))

    async def export_mail(self) -> bytes:
        """Returns all messages as one mbox file (mboxrd), oldest first."""
        return await self._network.run(self._calls.export_mail())

    async def attachment(self, message: int | MessageSummary | Message, attachment: str | Attachment) -> bytes:
        """Returns the decoded bytes of an attachment."""
        part = attachment if isinstance(attachment, str) else attachment.id
        return await self._network.run(self._calls.attachment(_id_of(message), part))

    async def delete(self, message: int | MessageSummary | Message) -> None:
        await self._network.run(self._calls.delete(_id_of(message)))

    async def delete_all(self) -> None:
        await self._network.run(self._calls.delete_all())

    async def delivery_log(self) -> tuple[Delivery, ...]:
        """Returns the last attempts to deliver here, newest first, including refused ones."""
        return await self._network.run(self._calls.delivery_log())

    async def extend(self, lifetime: int | None = None) -> datetime:
        """Moves the end to `lifetime` seconds from now, but never to an earlier time. Returns the end."""
        return await self._network.run(self._calls.extend(lifetime))

    async def end(self) -> None:
        """Ends the inbox and deletes its mail. Does nothing if it has ended already."""
        await self._network.run(self._calls.end())

    async def events(self, *, after: int | None = None) -> AsyncIterator[InboxEvent]:
        """Yields events from now on, or those after `after`, until the inbox ends; resumes by itself."""
        reader = EventReader(after)
        while not reader.is_ended:
            try:
                async for event in self._read_stream(reader):
                    yield event
            except httpx.TransportError as error:
                if time.monotonic() - reader.heard_at > EVENTS_PATIENCE:
                    raise MayflyUnreachable(f"No answer from {shown_url(self._network.url)}: {error}") from error
            if not reader.is_ended:
                await asyncio.sleep(reader.retry)

    async def _read_stream(self, reader: EventReader) -> AsyncIterator[InboxEvent]:
        headers = {**reader.headers, "authorization": f"Bearer {self.token}"}
        timeout = httpx.Timeout(15.0, read=SILENCE_MAX)
        url = f"{self._network.url}/events"
        async with self._network.http.stream("GET", url, headers=headers, timeout=timeout) as response:
            if response.status_code in (429, 502, 503, 504):
                return
            if response.status_code != 200:
                raise read_error(Answer(response.status_code, response.headers, await response.aread()))
            reader.begin(response.headers)
            async for text in response.aiter_text():
                for event in reader.feed(text):
                    yield event

    async def __aenter__(self: InboxT) -> InboxT:
        return self

    async def __aexit__(
        self,
        _kind: type[BaseException] | None = None,
        _error: BaseException | None = None,
        _trace: TracebackType | None = None,
    ) -> None:
        await self.end()


class AsyncInbox(_Inbox[InboxCalls]):
    """An address and its mail; `async with` ends it."""


class AsyncCapture(_Inbox[CaptureCalls]):
    """An inbox for any recipient: at its own domain, and on SMTP connections that log in as it."""

    @property
    def smtp(self) -> SmtpLogin:
        return self._calls.smtp


def _id_of(message: int | MessageSummary | Message) -> int:
    return message if isinstance(message, int) else message.id
