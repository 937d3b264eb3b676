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
    Finding,
    Mailbox,
    MailClient,
    MailReport,
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
    "Finding",
    "Inbox",
    "InboxEvent",
    "MailClient",
    "MailReport",
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
