"""Ids, numbers of orders and the like, addresses of machines and durations in a text.

They are recognised by their form or by the word before them.
"""

from __future__ import annotations

import re

_UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.ASCII | re.IGNORECASE)
#: Letters and digits mixed, or many digits: not a word, and no number that a person would write. And those of a help
#: desk and of a meeting: `[A1B2C3-D4E5]`, `/abc-defg-hij`.
_IDS = re.compile(
    r"(?<![\w#&;-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{16,}(?![\w-])"
    r"|(?<![\w.,#$€£&])\d{6,}(?![\w]|[.,]\d)"
    r"|(?<=\[)[A-Z0-9]{6}-[A-Z0-9]{4}(?=\])|(?<=/)[a-z]{3}-[a-z]{4}-[a-z]{3}(?![\w-])",
    re.ASCII,
)
#: Numbers of orders and the like, which in markup would be colours and names of classes: `#1234567`, `INV-2026-0123`;
#: hashes of commits, and ids with the prefix of their kind, `req_…`.
_NUMBERS = re.compile(
    r"(?<![\w&;-])(?=[\w-]*[A-Za-z])(?=(?:[\w-]*?\d){5})[\w-]{6,}(?![\w-])"
    r"|(?<![\w&])#\d{4,}(?:-\d+)*(?!\w)"
    r"|(?<![\w-])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,}(?![\w-])"
    r"|(?<![\w-])[a-z]{2,6}_[A-Za-z0-9]{10,}(?![\w-])",
    re.ASCII,
)
_MARKED = re.compile(r"(?<![\w&])#(\d{4,}(?:-\d+)*)(?!\w)", re.ASCII)
_IP = re.compile(
    r"(?<![\w.])(?!127\.0\.0\.1|0\.0\.0\.0)\d{1,3}(?:\.\d{1,3}){3}(?![\w.]\w)"
    r"|(?<![\w:])(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4}(?![\w:])",
    re.ASCII | re.IGNORECASE,
)
_PORT = re.compile(r"\b(localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0):\d{2,5}\b", re.ASCII)
_MEASURED = re.compile(
    r"\b\d{1,3} ?(?:h|m|min|minutes?|hours?) (?:and )?\d{1,2} ?(?:m|s|min|sec|minutes?|seconds?)\b"
    r"|\b\d{1,3} (?:seconds?|minutes?|hours?|days?)(?= ago\b)",
    re.ASCII,
)
_AGO = re.compile(r"(?<![^\W_])(vor|il y a|hace|há) [0-9]{1,3} [^\W\d_]+")

#: Before a number with a digit.
_WEAK = (
    "no|nr|n°|nº|№|number|num|nummer|numéro|número|numero|id|order|invoice|receipt|ticket|case|request|booking"
    "|rechnung|bestellung|auftrag|kundennummer|commande|facture|pedido|factura|fattura|ordine"
)
#: Before capitals alone too.
_STRONG = "reference|ref|pnr|locator|referenz|référence|referencia|referência|riferimento|referentie"


def _both_cases(words: str) -> str:
    return "|".join(f"[{word[0]}{word[0].upper()}]{word[1:]}" for word in words.split("|"))


_GROUPS = r"[A-Z]{0,4}[0-9]{2,}(?: [0-9]{3,4}(?![A-Za-z0-9_])){2,}"
_LABELLED = re.compile(
    rf"((?<![^\W_])(?:{_both_cases(_WEAK)})\.?[:：]? ?\(?)#?(?=[A-Z-]*[0-9])"
    rf"(?:{_GROUPS}|[A-Z0-9]+(?:-[A-Z0-9]+)*(?<=[A-Z0-9-]{{4}}))(?![^\W_]|-|[.,][0-9])"
    rf"|((?<![^\W_])(?:{_both_cases(_STRONG)})\.?[:：]? ?\(?)#?"
    rf"(?:{_GROUPS}|[A-Z0-9]{{5,}}(?:-[A-Z0-9]+)*)(?![^\W_]|-|[.,][0-9])"
)


def find_numbers(text: str) -> list[str]:
    """Returns the numbers that a word or `#` before them shows to be ids: they are ids wherever the mail has them."""
    found = [one[0][len(one[1] or one[2]) :].removeprefix("#") for one in _LABELLED.finditer(text)]
    return found + [one[1] for one in _MARKED.finditer(text)]


def mask_uuids(text: str) -> str:
    return _UUID.sub("[id]", text)


def mask_machines(text: str) -> str:
    """In words: also what would be a date or time in part."""
    return _AGO.sub(r"\1 [duration]", _MEASURED.sub("[duration]", _IP.sub("[ip]", mask_uuids(text))))


def mask_numbers(text: str) -> str:
    return _NUMBERS.sub("[id]", _LABELLED.sub(lambda found: f"{found[1] or found[2]}[id]", text))


def mask_ids(text: str) -> str:
    return _IP.sub("[ip]", _PORT.sub(r"\1:[port]", _IDS.sub("[id]", text)))
