"""The inboxes of one client object, so that a wait that ends with nothing can tell what came to the others."""

from __future__ import annotations

import threading

#: Older ones are forgotten.
_KEPT_MAX = 20


class Siblings:
    """Addresses and their tokens."""

    def __init__(self) -> None:
        #: Oldest first.
        self._tokens: dict[str, str] = {}
        self._lock = threading.Lock()

    def add(self, email: str, token: str) -> None:
        with self._lock:
            self._tokens.pop(email, None)
            self._tokens[email] = token
            if len(self._tokens) > _KEPT_MAX:
                del self._tokens[next(iter(self._tokens))]

    def remove(self, email: str) -> None:
        """To be called when the inbox has ended."""
        with self._lock:
            self._tokens.pop(email, None)

    def tokens_besides(self, email: str) -> tuple[str, ...]:
        with self._lock:
            return tuple(token for other, token in self._tokens.items() if other != email)
