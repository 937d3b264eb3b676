"""Temporary e-mail inboxes for tests and scripts, from a Mayfly service."""

from ._events import InboxEvent
from ._inbox_calls import SmtpLogin
from .async_client import AsyncCapture, AsyncInbox, AsyncMayfly
from .errors import MailTimeout, MayflyError, MayflyUnreachable, NearMiss
from .models import (
    Attachment,
    Code,
    Delivery,
    Domain,
    Mailbox,
    Message,
    MessageLink,
    MessageSummary,
    OtherMail,
    RefusedRecipient,
)
from .sync_client import Capture, Inbox, Mayfly

__all__ = [
    "AsyncCapture",
    "AsyncInbox",
    "AsyncMayfly",
    "Attachment",
    "Capture",
    "Code",
    "Delivery",
    "Domain",
    "Inbox",
    "InboxEvent",
    "MailTimeout",
    "Mailbox",
    "Mayfly",
    "MayflyError",
    "MayflyUnreachable",
    "Message",
    "MessageLink",
    "MessageSummary",
    "NearMiss",
    "OtherMail",
    "RefusedRecipient",
    "SmtpLogin",
]
