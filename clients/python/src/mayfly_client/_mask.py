"""A message as text that is the same each time its template is sent: what differs by chance is masked.

Codes and links are those that the service found; dates, ids and tokens are recognised by their form.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote, unquote, urlsplit

from ._mask_dates import mask_dates
from ._mask_ids import find_numbers, mask_ids, mask_machines, mask_numbers, mask_uuids
from .models import Mailbox, Message

_PICTURE = re.compile(r"""(["'(])[^"'()]{0,200}/inline-image\?[^"'()]*""")
_MARKUP = re.compile(r"(<style[\s>][\s\S]*?</style\s*>|<[^>]*>)", re.IGNORECASE)


def mask_mail(message: Message) -> str:
    """Returns the message with all that differs by chance in brackets."""
    known = _Known(message)

    def mask(text: str) -> str:
        return _mask_words(known.apply(_tidy(text)))

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
    shown = [*map(mask, lines), "", "── text ──", mask(message.text)]
    if message.links:
        links = (f"{one.kind} {one.url}" + (f" “{one.text}”" if one.text else "") for one in message.links)
        shown += ["", "── links ──", *map(mask, links)]
    if message.html is not None:
        html = re.sub(r">\s*<", ">\n<", _PICTURE.sub(r"\1[picture]", message.html))
        shown += ["", "── html ──", _mask_html(known.apply(_tidy(html)))]
    return "\n".join([*shown, ""])


class _Known:
    """Masks the codes, links' tokens and addresses of a message."""

    def __init__(self, message: Message) -> None:
        names: dict[str, str] = {}
        for address in (*message.envelope.rcpt_to, *message.recipients, *(one.email for one in message.to)):
            for form in (address, quote(address, safe="")):
                names[form.lower()] = "[address]"
        codes = [one.value for one in message.codes] + ([message.code] if message.code else [])
        for code in codes:
            names[code.lower()] = "[code]"
        for part in (part for link in message.links for part in _tokens_of(link.url)):
            for form in (part, quote(part, safe="")):
                names.setdefault(form.lower(), "[token]")
        for number in find_numbers(f"{message.subject}\n{message.text}"):
            if number.lower() not in names and mask_dates(number) == number:
                names.update({number.lower(): "[id]", f"#{number.lower()}": "[id]"})
        names.pop("", None)
        self._names = names
        # The longest first, so that a part of one never hides it.
        self._words = _any_of(_to_pattern(re.escape(value)) for value in sorted(names, key=len, reverse=True))
        self._spelled = _any_of(map(_to_spelled, codes))
        short = [re.escape(part) for link in message.links for part in _short_tokens_of(link.url)]
        self._short = re.compile(rf"""(?<=/)(?:{"|".join(short) or "(?!)"})(?![^/?#&"'<>()\s])""")
        self._shapes = _any_of(_backup_shapes(message))

    def apply(self, text: str) -> str:
        text = self._short.sub("[token]", text)
        text = self._words.sub(lambda found: self._names.get(found[0].lower(), "[token]"), text)
        text = self._spelled.sub(lambda found: "[code]" + "".join(re.findall(r"<[^>]*>\s*", found[0])), text)
        return self._shapes.sub("[code]", text)


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(filter(None, patterns)) or r"(?!)", re.IGNORECASE)


def _to_pattern(pattern: str) -> str:
    """Not within another word."""
    return rf"(?<![A-Za-z0-9]){pattern}(?![A-Za-z0-9])"


def _to_spelled(code: str) -> str:
    """A code in groups, or with each character in an element of its own: `482 913`, `<td>4</td><td>8</td>`."""
    characters = re.sub(r"[\s-]", "", code)
    if len(characters) < 4:
        return ""
    return _to_pattern(r"(?:[\s-]|&nbsp;|<[^>]*>)*".join(map(re.escape, characters)))


def _backup_shapes(message: Message) -> set[str]:
    """Others in a list of backup codes: words of the same form as those that the service found."""
    forms = (one.value for one in message.codes if one.kind == "backup" and len(one.value) >= 8)
    return {
        "".join("[a-z0-9]" if re.match("[A-Za-z0-9]", letter) else re.escape(letter) for letter in form).join(
            (r"(?<![\w-])", r"(?![\w-])")
        )
        for form in forms
    }


def _mask_words(text: str) -> str:
    return mask_ids(mask_numbers(mask_dates(mask_machines(text))))


def _mask_html(html: str) -> str:
    """In markup dates, colours and names stay."""
    parts = _MARKUP.split(html)
    return "".join(
        mask_ids(mask_uuids(part)) if index % 2 else _mask_words(part) for index, part in enumerate(parts)
    )


def _tokens_of(url: str) -> list[str]:
    """Returns the parts of a link's host, path, query and fragment that look made by chance."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return []
    if parts.scheme not in ("http", "https"):
        return []
    values = [re.sub("^[^=]*=", "", one) for text in (parts.query, parts.fragment) for one in re.split("[?&;]", text)]
    found = [*parts.path.split("/"), *parts.fragment.split("/"), *values]
    hosts = [part for part in (parts.hostname or "").split(".") if re.match("(?=.*[a-z])(?:.*[0-9]){5}", part)]
    return hosts + [part for part in map(unquote, found) if _is_token(part)]


def _short_tokens_of(url: str) -> list[str]:
    """Beside a token also short parts of the path: a number, or one coded in capitals and small letters."""
    if not _tokens_of(url):
        return []
    parts = [part for part in urlsplit(url).path.split("/") if re.fullmatch("[A-Za-z0-9]{1,7}", part)]
    return [
        part
        for part in parts
        if re.fullmatch("[0-9]+", part) or (re.search("[A-Z]", part) and not re.fullmatch("[A-Z][a-z]+", part))
    ]


def _is_token(part: str) -> bool:
    """Letters and digits mixed, long words without sense, or digits alone."""
    if re.fullmatch(r"[0-9]{3,}", part):
        return True
    if not re.fullmatch(r"[A-Za-z0-9_.~=+/-]{8,}", part):
        return False
    return (
        (re.search(r"[0-9]", part) is not None and re.search(r"[A-Za-z]", part) is not None)
        or re.fullmatch(r"[A-Za-z0-9_-]{24,}", part) is not None
        or re.search(r"[a-z][A-Z].*[a-z][A-Z]", part) is not None
    )


def _name(mailbox: Mailbox) -> str:
    return f"{mailbox.name} <{mailbox.email}>" if mailbox.name else mailbox.email


def _tidy(text: str) -> str:
    plain = re.sub("[\u200e\u200f\u061c]", "", text)
    lines = (re.sub("[ \t\r\u00a0\u2009\u202f]+", " ", line).strip() for line in plain.split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
