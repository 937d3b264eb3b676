"""The operations of a service, as calls without I/O."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from ._calls import Call, Request, call_json
from ._decode import decode
from ._inbox_calls import CaptureCalls, InboxCalls, open_capture, open_inbox
from .errors import MayflyError
from .models import Domain

DEFAULT_URL = "http://127.0.0.1:8080"


def service_url(url: str | None) -> str:
    return (url or os.environ.get("MAYFLY_URL") or DEFAULT_URL).rstrip("/")


def service_key(api_key: str | None) -> str | None:
    return api_key or os.environ.get("MAYFLY_API_KEY") or None


@dataclass(frozen=True)
class ServiceCalls:
    api_key: str | None

    def create_inbox(
        self, prefix: str | None, domain: str | int | None, gmail: bool | str, lifetime: int | None
    ) -> Call[InboxCalls]:
        domain_id = yield from self._domain_id(domain)
        parameters: dict[str, Any] = {"prefix": prefix, "domain_id": domain_id, "lifetime": lifetime}
        if gmail:
            parameters["use_gmail"] = True
        if isinstance(gmail, str):
            parameters["alias"] = gmail
        answer = yield from self._create(parameters)
        return open_inbox(answer)

    def create_capture(self, domain: str | int | None, lifetime: int | None, on_full: str | None) -> Call[CaptureCalls]:
        domain_id = yield from self._domain_id(domain)
        parameters = {"capture": True, "domain_id": domain_id, "lifetime": lifetime, "on_full": on_full}
        answer = yield from self._create(parameters)
        return open_capture(answer)

    def reopen(self, token: str) -> Call[InboxCalls]:
        answer = yield from call_json(Request("/session", token=token))
        return open_inbox(answer, token)

    def domains(self) -> Call[tuple[Domain, ...]]:
        answer = yield from call_json(Request("/domains"))
        return tuple(decode(Domain, domain) for domain in answer["domains"])

    def _create(self, parameters: dict[str, Any]) -> Call[dict[str, Any]]:
        return call_json(Request("/create-session", method="POST", parameters=parameters, api_key=self.api_key))

    def _domain_id(self, domain: str | int | None) -> Call[int | None]:
        if not isinstance(domain, str):
            return domain
        domains = yield from self.domains()
        for each in domains:
            if each.domain == domain.lower():
                return each.id
        raise MayflyError(
            f"The service has no active domain {domain!r}.", status=404, code="unknown_domain", parameter="domain_id"
        )
