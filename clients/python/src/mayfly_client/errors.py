"""The errors of this package."""

from __future__ import annotations

from dataclasses import dataclass

from .models import Delivery, MessageSummary, OtherMail, RefusedRecipient


class MayflyError(Exception):
    """The service answered with an error.

    status: HTTP status of the answer. code: stable, such as "session_expired". parameter: the one at fault, or None.
    request_id: identifies the request in the operator's log, or None.
    """

    def __init__(
        self, message: str, *, status: int, code: str, parameter: str | None = None, request_id: str | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.parameter = parameter
        self.request_id = request_id


class MayflyUnreachable(Exception):
    """The service could not be reached or did not answer within the time allowed."""


@dataclass(frozen=True)
class NearMiss:
    """A message that arrived during a wait, and the reason why it did not match."""

    message: MessageSummary
    reason: str


class MailTimeout(Exception):
    """No matching message arrived in time.

    The text describes what arrived instead, what came for others, and what the service refused.
    """

    def __init__(
        self,
        message: str,
        *,
        email: str,
        near_misses: tuple[NearMiss, ...],
        deliveries: tuple[Delivery, ...],
        refused_recipients: tuple[RefusedRecipient, ...],
        other_mail: tuple[OtherMail, ...],
    ) -> None:
        super().__init__(message)
        self.email = email
        self.near_misses = near_misses
        #: Attempts to deliver to the address since the wait began, oldest first.
        self.deliveries = deliveries
        #: Misspelt addresses for which mail was refused recently, newest first.
        self.refused_recipients = refused_recipients
        #: Mail that came, since the inbox was made, to other inboxes of the same client object, or, with `mayfly dev`,
        #: for recipients that no inbox has; newest first.
        self.other_mail = other_mail
