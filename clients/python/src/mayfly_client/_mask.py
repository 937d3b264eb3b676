"""A message as text that is the same each time its template is sent: what differs by chance is masked.

Codes and links are those that the service found; dates, ids and tokens are recognised by their form.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from .models import Mailbox, Message

_WEEKDAY = "(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?"
_MONTH = (
    "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?"
    "|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_CLOCK = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?"
_ZONE = r"(?: ?(?:[AaPp]\.?[Mm]\.?(?![a-z])|Z\b|UTC|GMT|[+-]\d{2}:?\d{2}))*"
_TIME = _CLOCK + _ZONE
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_YEAR = r"(?:,? ?(?:19|20)\d{2}\b)?"
_DATES = re.compile(
    "|".join(
        (
            rf"\b(?:19|20)\d{{2}}-\d{{2}}-\d{{2}}(?:[T ]{_TIME})?",
            rf"\b(?:{_WEEKDAY},? )?(?:{_DAY}\.? {_MONTH}|{_MONTH}\.? {_DAY})\b{_YEAR}"
            rf"(?:,?(?: at)? {_TIME})?(?: \([A-Z]{{3,5}}\))?",
            rf"\b\d{{1,2}}[./]\d{{1,2}}[./](?:19|20)?\d{{2}}\b(?:,? {_TIME})?",
            rf"\b{_TIME}",
        )
    ),
    re.ASCII,
)
_UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.IGNORECASE)
#: Letters and digits mixed, or many digits: not a word, and no number that a person would write.
_IDS = re.compile(
    r"(?<![\w#&;-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{16,}(?![\w-])"
    r"|(?<![\w.,#$€£&])\d{6,}(?![\w]|[.,]\d)",
    re.ASCII,
)
_PORT = re.compile(r"\b(localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0):\d{2,5}\b")
_PICTURE = re.compile(r"""(["'(])[^"'()]{0,200}/inline-image\?[^"'()]*""")


def mask_mail(message: Message) -> str:
    """Returns the message with all that differs by chance in brackets."""
    mask = _Mask(message)
    sender = Mailbox(name=message.sender_name, email=message.sender_email)
    lines = [f"From: {_name(sender)}"]
    if message.to:
        lines.append(f"To: {', '.join(map(_name, message.to))}")
    if message.cc:
        lines.append(f"Cc: {', '.join(map(_name, message.cc))}")
    lines.append(f"Subject: {message.subject}")
    if message.attachments:
        files = (f"{one.filename} ({one.content_type})" for one in message.attachments)
        lines.append(f"Attachments: {', '.join(files)}")
    shown = [*map(mask.apply, lines), "", "── text ──", mask.apply(_tidy(message.text))]
    if message.links:
        links = (f"{one.kind} {one.url}" + (f" “{one.text}”" if one.text else "") for one in message.links)
        shown += ["", "── links ──", *map(mask.apply, links)]
    if message.html is not None:
        html = re.sub(r">\s*<", ">\n<", _PICTURE.sub(r"\1[picture]", message.html))
        shown += ["", "── html ──", mask.apply(_tidy(html))]
    return "\n".join([*shown, ""])


class _Mask:
    def __init__(self, message: Message) -> None:
        secrets: dict[str, str] = {}
        for address in (
            *message.envelope.rcpt_to,
            *message.recipients,
            *(one.email for one in message.to),
        ):
            if address:
                secrets[address] = "[address]"
        for code in (message.code, *(one.value for one in message.codes)):
            if code:
                secrets[code] = "[code]"
        for link in message.links:
            for part in _tokens_of(link.url):
                secrets.setdefault(part, "[token]")
        # The longest first, so that a part of one never hides it.
        known = sorted(secrets, key=len, reverse=True)
        self._names = {value.lower(): secrets[value] for value in known}
        self._words = re.compile("|".join(map(_to_pattern, known)) or r"(?!)", re.IGNORECASE | re.ASCII)

    def apply(self, text: str) -> str:
        text = self._words.sub(self._name_of, text)
        text = _UUID.sub("[id]", text)
        text = _DATES.sub("[date]", text)
        return _PORT.sub(r"\1:[port]", _IDS.sub("[id]", text))

    def _name_of(self, found: re.Match[str]) -> str:
        text = found[0].lower()
        return self._names.get(text) or self._names.get(unquote(text)) or "[token]"


def _to_pattern(value: str) -> str:
    """Not within another word; an address may be encoded as in a link."""
    encoded = f"|{re.escape(quote(value, safe=''))}" if "@" in value else ""
    return rf"(?<!\w)(?:{re.escape(value)}{encoded})(?!\w)"


def _tokens_of(url: str) -> list[str]:
    """Returns the parts of a link's path, query and fragment that look made by chance."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return []
    if parts.scheme not in ("http", "https"):
        return []
    values = [value for text in (parts.query, parts.fragment.lstrip("?")) for _, value in parse_qsl(text)]
    return [part for part in (*map(unquote, parts.path.split("/")), *values, parts.fragment) if _is_token(part)]


def _is_token(part: str) -> bool:
    """Letters and digits mixed, long words without sense, or digits alone."""
    if re.fullmatch(r"[0-9]{3,}", part):
        return True
    if not re.fullmatch(r"[A-Za-z0-9_.~=+-]{8,}", part):
        return False
    return (
        (re.search(r"[0-9]", part) is not None and re.search(r"[A-Za-z]", part) is not None)
        or re.fullmatch(r"[A-Za-z0-9_-]{24,}", part) is not None
        or re.search(r"[a-z][A-Z].*[a-z][A-Z]", part) is not None
    )


def _name(mailbox: Mailbox) -> str:
    return f"{mailbox.name} <{mailbox.email}>" if mailbox.name else mailbox.email


def _tidy(text: str) -> str:
    lines = (re.sub(r"[ \t\r]+", " ", line).strip() for line in text.split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
