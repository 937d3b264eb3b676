"""Dates and times of day in a text, as 29 languages write them."""

from __future__ import annotations

import re

from ._date_words import MONTHS, WEEKDAYS

_START = r"(?<![^\W_])"
_END = r"(?![^\W_])"
_MONTH = rf"(?:{MONTHS})\.?"
_WEEKDAY = rf"(?:{WEEKDAYS})\.?"
_YEAR = r"(?:19|20)[0-9]{2}"
_DAY = r"[0-9]{1,2}(?:st|nd|rd|th|er|[.ºª°])?"
#: Before a month or year: "3 de marzo de 2026", "3rd of March".
_OF = r"(?:(?:de|del|of) |d[’']|ב)?"
_HALF = r"(?:[ap]\. ?m\.|[ap]m|[πμ]\.μ\.|[صم])"
_HALF_BEFORE = "(?:오전|오후|上午|下午|午前|午後|[AP]M)"
_ZONE = rf"(?: ?(?:{_HALF}{_END}|(?:Z|UTC|GMT|CES?T){_END}|[+-][0-9]{{2}}:?[0-9]{{2}}))*"
_CLOCK = rf"(?:{_HALF_BEFORE} ?)?[0-9]{{1,2}}:[0-9]{{2}}(?::[0-9]{{2}}(?:[.,][0-9]{{1,9}})?)?{_ZONE}"
#: After a word for the clock alone: it would be a price.
_DOTTED = rf"(?:(?<=kl\. )|(?<=klo )|(?<=pukul ))[0-9]{{1,2}}\.[0-9]{{2}}{_END}"
_TIME = (
    rf"(?:{_CLOCK}|{_DOTTED}|[0-9]{{1,2}}h[0-9]{{2}}{_END}|[0-9]{{1,2}} ?{_HALF}{_END}"
    rf"|{_HALF_BEFORE}?[0-9]{{1,2}}[時시点] ?(?:[0-9]{{1,2}}[分분])?)"
)
_WRITTEN = "|".join(
    (
        rf"{_DAY} ?{_OF}{_MONTH}(?:,? {_OF}{_YEAR})?",
        rf"{_MONTH} {_DAY}(?:,? {_YEAR})?",
        rf"{_YEAR}\.? {_MONTH} {_DAY}",
        rf"{_MONTH},? {_OF}{_YEAR}",
        rf"[0-9]{{1,2}} (?:tháng|thg) [0-9]{{1,2}}(?:,? (?:năm )?{_YEAR})?",
    )
)
_ASIAN = "|".join(
    (
        r"(?:[0-9]{4}年)?[0-9]{1,2}月[0-9]{1,2}日"
        r"(?: ?[（(]?(?:[月火水木金土日]曜日?|[星週周]期?[一二三四五六日天]|[月火水木金土日](?=[）)]))[）)]?)?",
        r"(?:[0-9]{4}년 ?)?[0-9]{1,2}월 ?[0-9]{1,2}일(?: ?\(?[월화수목금토일](?:요일)?\)?)?",
    )
)
_NUMBERS = "|".join(
    (
        rf"{_YEAR}([-./]) ?[0-9]{{1,2}}\1 ?[0-9]{{1,2}}\1?(?:T| (?=[0-9]{{1,2}}:))?(?:{_CLOCK})?",
        r"[0-9]{1,2}([./])[0-9]{1,2}\2(?:19|20)?[0-9]{2}",
        rf"[0-9]{{1,2}}([-.]) ?[0-9]{{1,2}}\3 ?{_YEAR}",
    )
)
_DATES = re.compile(
    "|".join(
        (
            rf"{_START}(?:{_NUMBERS}){_END}",
            rf"(?:{_START}{_WEEKDAY}[,،]? (?:de[nm] |the )?)?{_START}(?:{_WRITTEN}){_END}"
            rf"(?:,? (?:at )?(?:{_CLOCK}|[0-9]{{1,2}}\.[0-9]{{2}}{_END}))?(?: {_WEEKDAY}{_END})?(?: \([A-Z]{{3,5}}\))?",
            _ASIAN,
            rf"(?:{_START}{_WEEKDAY},? (?:at )?)?{_START}{_TIME}",
        )
    ),
    re.IGNORECASE,
)
#: A line of copyright has the year in which it was sent.
_COPYRIGHT = re.compile(rf"((?:©|&copy;|\(c\)) ?){_YEAR}(?: ?[-–] ?{_YEAR})?", re.IGNORECASE)


def mask_dates(text: str) -> str:
    return _COPYRIGHT.sub(r"\1[year]", _DATES.sub("[date]", text))
