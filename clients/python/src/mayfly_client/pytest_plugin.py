"""Fixtures for tests: `inbox`, `capture`, and their service."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from ._snapshot import MailSnapshot
from .errors import MayflyError, MayflyUnreachable
from .sync_client import Capture, Inbox, Mayfly

#: A failing test shows its own lines, not these.
__tracebackhide__ = True


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("mayfly")
    group.addoption(
        "--mayfly-url", default=None, help="URL of the Mayfly service (default: MAYFLY_URL, else starts `mayfly dev`)"
    )
    group.addoption(
        "--mayfly-update-snapshots", action="store_true", help="Write the snapshots of messages anew (`mail_snapshot`)"
    )


@pytest.fixture(scope="session")
def mayfly_server(request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of a service: the given one, else that of a `mayfly dev` started for each worker of the run."""
    url = request.config.getoption("--mayfly-url") or os.environ.get("MAYFLY_URL")
    if url:
        yield url
        return
    program = os.environ.get("MAYFLY_BIN") or shutil.which("mayfly")
    if program is None:
        pytest.fail("No Mayfly service: set MAYFLY_URL, or install the program `mayfly`.", pytrace=False)
    words = [*program.split(), "dev", "--smtp-port", "0", "--http-port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield _read_url(process)
        finally:
            process.terminate()


@pytest.fixture(scope="session")
def mayfly(mayfly_server: str) -> Iterator[Mayfly]:
    with Mayfly(mayfly_server) as service:
        yield service


@pytest.fixture
def inbox(mayfly: Mayfly, request: pytest.FixtureRequest) -> Iterator[Inbox]:
    """An inbox for this test, which ends with it."""
    with mayfly.create_inbox() as made:
        _note(request, made)
        yield made


@pytest.fixture
def capture(mayfly: Mayfly, request: pytest.FixtureRequest) -> Iterator[Capture]:
    """An inbox for any recipient, which ends with the test."""
    with mayfly.create_capture() as made:
        _note(request, made)
        yield made


@pytest.fixture
def mail_snapshot(request: pytest.FixtureRequest) -> MailSnapshot:
    """Compares messages with those of earlier runs: `mail_snapshot.check(message)`."""
    update = bool(request.config.getoption("--mayfly-update-snapshots"))
    test = ".".join([*([request.cls.__name__] if request.cls else []), request.node.name])
    return MailSnapshot(Path(request.path), test, update=update)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Adds the delivery log and the list of messages of the test's inboxes to the report of a failure."""
    report = yield
    if call.when == "call" and report.failed:
        for made in getattr(item, "_mayfly_inboxes", []):
            report.sections.append((f"Mail of {made.email}", _describe(made)))
    return report


def _note(request: pytest.FixtureRequest, made: Inbox | Capture) -> None:
    noted = getattr(request.node, "_mayfly_inboxes", [])
    request.node._mayfly_inboxes = [*noted, made]


def _describe(made: Inbox | Capture) -> str:
    try:
        return _describe_mail(made)
    except (MayflyError, MayflyUnreachable) as error:
        # The test may have ended it. An error here would end the whole run.
        return f"not known: {error}"


def _describe_mail(made: Inbox | Capture) -> str:
    messages = [
        f"{message.received_at:%H:%M:%S} {message.subject!r} from {message.sender_email}" for message in made.messages()
    ]
    log = [f"{entry.at:%H:%M:%S} {entry.outcome}: {entry.reply}" for entry in made.delivery_log()]
    return "\n".join([*(messages or ["no messages"]), "delivery log:", *(log or ["nothing was sent here"])])


def _read_url(process: subprocess.Popen[str]) -> str:
    """Reads the URL that `mayfly dev` prints."""
    assert process.stdout is not None
    for line in process.stdout:
        found = re.search(r"\bMAYFLY_URL=(\S+)", line)
        if found:
            return found[1]
    raise RuntimeError("`mayfly dev` ended before it was ready.")
