"""Snapshots of messages in files beside a test."""

from __future__ import annotations

import difflib
import hashlib
import os
import re
from pathlib import Path

from ._mask import mask_mail
from .models import Message

#: A failing test shows its own lines, not these.
__tracebackhide__ = True


class MailSnapshot:
    """Made by the fixture `mail_snapshot`."""

    def __init__(self, test_file: Path, test: str, *, update: bool) -> None:
        self._folder = test_file.parent / "__snapshots__" / test_file.stem
        self._test = _to_file_name(test)
        self._update = update
        self._count = 0

    def check(self, message: Message, name: str | None = None) -> None:
        """Passes when the message is that of the snapshot, but for codes, dates, ids, addresses and links' tokens.

        Writes the snapshot when there is none, except on CI, and with `--mayfly-update-snapshots`.
        """
        __tracebackhide__ = True
        if not isinstance(message, Message):
            raise TypeError(f"check takes a message, as inbox.read returns it, not {type(message).__name__}")
        self._count += 1
        suffix = f"-{_to_file_name(name)}" if name else f"-{self._count}" if self._count > 1 else ""
        file = self._folder / f"{self._test}{suffix}.txt"
        text = mask_mail(message)
        known = file.read_text(encoding="utf-8") if file.exists() else None
        if known == text:
            return
        if self._update or (known is None and not os.environ.get("CI")):
            self._folder.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")
            return
        if known is None:
            raise AssertionError(f"There is no snapshot {file}: run once without CI set, and commit it.")
        difference = difflib.unified_diff(
            known.splitlines(), text.splitlines(), "snapshot", "message", lineterm="", n=2
        )
        hint = "Run pytest with --mayfly-update-snapshots if the message is as it should be."
        raise AssertionError("\n".join([f"The message is not that of {file}:", *difference, hint]))


def _to_file_name(name: str) -> str:
    """Two names whose unusual characters differ never give the same."""
    brackets = re.sub(r"\[(.*)\]$", r"-\1", name, flags=re.DOTALL)
    plain = re.sub(r"[^\w.-]+", "-", brackets).strip("-.")[:120]
    return plain if plain == brackets else f"{plain}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
