"""The operations of a service, as calls without I/O."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

from ._calls import Call, Request, call_json, shown_url
from ._decode import decode
from ._inbox_calls import CaptureCalls, InboxCalls, open_capture, open_inbox
from ._siblings import Siblings
from .errors import MayflyError
from .models import Domain

#: A failing test shows its own lines, not these.
__tracebackhide__ = True

DEFAULT_URL = "http://127.0.0.1:8080"


def service_url(url: str | None) -> str:
    return (url or os.environ.get("MAYFLY_URL") or DEFAULT_URL).rstrip("/")


def describe_service(url: str) -> str:
    """Says which service is asked, and whether MAYFLY_URL was set, for errors."""
    return f"The service asked is {shown_url(url)}; MAYFLY_URL is {'' if os.environ.get('MAYFLY_URL') else 'not '}set."


def service_key(api_key: str | None) -> str | None:
    return api_key or os.environ.get("MAYFLY_API_KEY") or None


@dataclass(frozen=True)
class ServiceCalls:
    api_key: str | None
    #: Which service is asked: a sentence.
    service: str
    siblings: Siblings = field(default_factory=Siblings)

    def create_inbox(self, domain: str | int | None, gmail: bool | str, **given: str | int | None) -> Call[InboxCalls]:
        domain_id = yield from self._domain_id(domain)
        parameters: dict[str, Any] = {**given, "domain_id": domain_id}
        if gmail:
            parameters["use_gmail"] = True
        if isinstance(gmail, str):
            parameters["alias"] = gmail
        answer = yield from self._create(parameters)
        return open_inbox(answer, self.service, self.siblings)

    def create_capture(self, domain: str | int | None, lifetime: int | None, on_full: str | None) -> Call[CaptureCalls]:
        domain_id = yield from self._domain_id(domain)
        parameters = {"capture": True, "domain_id": domain_id, "lifetime": lifetime, "on_full": on_full}
        answer = yield from self._create(parameters)
        return open_capture(answer, self.service, self.siblings)

    def reopen(self, token: str) -> Call[InboxCalls]:
        answer = yield from call_json(Request("/session", token=token))
        return open_inbox(answer, self.service, self.siblings, token=token)

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
