"""Runs scenarios of clients/scenarios with this client.

Reads one line of JSON per scenario from standard input: {"scenario": …, "url": …, "control": …}. Writes one line of
JSON with its result.
"""

from __future__ import annotations

import asyncio
import dataclasses
import inspect
import json
import re
import sys
import threading
import time
import traceback
import urllib.request
import uuid
from collections.abc import Callable
from concurrent.futures import Future
from datetime import datetime
from typing import Any

from mayfly_client import AsyncCapture, AsyncInbox, AsyncMayfly, Mayfly

LOOP = asyncio.new_event_loop()
threading.Thread(target=LOOP.run_forever, daemon=True).start()


class Awaited:
    """Wraps an object of the asyncio client in the interface of the other client."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.inner, name)
        return (lambda *words, **named: self.settle(value(*words, **named))) if callable(value) else value

    def settle(self, result: Any) -> Any:
        if inspect.isasyncgen(result):
            return self.iterate(result)
        if inspect.iscoroutine(result):
            result = asyncio.run_coroutine_threadsafe(result, LOOP).result()
        return Awaited(result) if isinstance(result, (AsyncInbox, AsyncCapture)) else result

    def iterate(self, items: Any) -> Any:
        while True:
            try:
                yield asyncio.run_coroutine_threadsafe(anext(items), LOOP).result()
            except StopAsyncIteration:
                return


class Player:
    def __init__(self, url: str, control: str) -> None:
        self.mayfly: Any = Awaited(AsyncMayfly(url)) if "--async" in sys.argv else Mayfly(url)
        self.control_url = control
        self.inboxes: dict[str, Any] = {}
        self.tasks: dict[str, Future[Any]] = {}
        self.values: dict[str, Any] = {"unique": uuid.uuid4().hex[:8]}

    def play(self, step: dict[str, Any]) -> Any:
        step = fill(step, self.values)
        if "fails" in step:
            expect_failure(lambda: self.do(step), step["fails"])
            return None
        result = self.do(step)
        if "as" in step:
            self.values[step["as"]] = result
        if "gives" in step:
            expect_like(result, step["gives"], step["do"])
        return result

    def finish(self) -> None:
        for task in self.tasks.values():
            task.result()
        for inbox in self.inboxes.values():
            inbox.end()

    def do(self, step: dict[str, Any]) -> Any:
        match step["do"]:
            case "createInbox":
                return self.keep(step, self.mayfly.create_inbox(**step.get("options", {})))
            case "createCapture":
                return self.keep(step, self.mayfly.create_capture())
            case "reopen":
                return self.keep(step, self.mayfly.reopen(step["token"]))
            case "send":
                return self.send(step)
            case "restart":
                return self.control("/restart", {"signal": step.get("signal", "SIGTERM")})
            case "pause":
                return time.sleep(step["ms"] / 1000)
            case "start":
                return self.start(step)
            case "finish":
                return self.tasks[step["task"]].result()
            case "repeat":
                for _ in range(step["times"]):
                    self.play(step["step"])
                return None
            case "later":
                assert step["value"] > step["than"], step
                return None
        return to_json(self.call(step))

    def call(self, step: dict[str, Any]) -> Any:
        inbox = self.inboxes[step["in"]]
        message = int(step.get("message", 0))
        match = {("from_" if name == "from" else name): value for name, value in step.get("match", {}).items()}
        if "after" in match:
            match["after"] = int(match["after"])
        timeout = step.get("timeout", 30)
        match step["do"]:
            case "waitForMessage":
                return inbox.wait_for_message(**match, timeout=timeout)
            case "waitForCode":
                return inbox.wait_for_code(**match, code_kind=step.get("codeKind"), timeout=timeout)
            case "waitForLink":
                return inbox.wait_for_link(**match, kind=step.get("kind"), host=step.get("host"), timeout=timeout)
            case "messages":
                return inbox.messages(**match)
            case "read":
                return inbox.read(message)
            case "raw":
                return inbox.raw(message).decode()
            case "report":
                return inbox.report(message)
            case "importMail":
                return inbox.import_mail(step["file"].encode())
            case "exportMail":
                return inbox.export_mail().decode()
            case "attachment":
                return inbox.attachment(message, step["attachment"]).decode()
            case "delete":
                return inbox.delete(message)
            case "deleteAll":
                return inbox.delete_all()
            case "deliveryLog":
                return inbox.delivery_log()
            case "extend":
                return inbox.extend(step["lifetime"])
            case "end":
                return inbox.end()
            case "address":
                return inbox.address(step["tag"])
            case "events":
                return collect_events(inbox, int(step["after"]), step.get("count"))
        raise AssertionError(f"No such step: {step['do']}")

    def keep(self, step: dict[str, Any], inbox: Any) -> Any:
        self.inboxes[step["as"]] = inbox
        return to_json({"email": inbox.email, "token": inbox.token, "expires_at": inbox.expires_at})

    def start(self, step: dict[str, Any]) -> None:
        task: Future[Any] = Future()
        self.tasks[step["task"]] = task

        def work() -> None:
            try:
                task.set_result(self.play(step["step"]))
            except BaseException as error:
                task.set_exception(error)

        threading.Thread(target=work, daemon=True).start()

    def send(self, step: dict[str, Any]) -> None:
        body = {"to": step["to"], "mail": step["mail"]}
        if "login" in step:
            body["login"] = to_json(self.inboxes[step["login"]].smtp)
        reply = self.control("/send", body)["reply"]
        assert reply.startswith(step.get("refused", "250")), reply

    def control(self, path: str, body: dict[str, Any]) -> Any:
        data = json.dumps(body).encode()
        with urllib.request.urlopen(self.control_url + path, data, timeout=60) as response:
            return json.load(response)


def collect_events(inbox: Any, after: int, count: int | None) -> Any:
    events = []
    for event in inbox.events(after=after):
        events.append({"type": event.type, "id": event.id, "message": event.data})
        if len(events) == count:
            break
    return {"lastType": events[-1]["type"]} if count is None else events


def fill(value: Any, values: dict[str, Any]) -> Any:
    if isinstance(value, str):
        return re.sub(r"\$\{([\w.]+)\}", lambda found: look_up(found, values), value)
    if isinstance(value, list):
        return [fill(item, values) for item in value]
    if isinstance(value, dict):
        return {name: fill(item, values) for name, item in value.items()}
    return value


def look_up(found: re.Match[str], values: Any) -> str:
    at = values
    for name in found[1].split("."):
        try:
            at = at[int(name)] if isinstance(at, list) else at[name]
        except (KeyError, IndexError, TypeError):
            return found[0]
    return str(at)


def to_json(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if dataclasses.is_dataclass(value):
        return {field.name: to_json(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {name: to_json(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_json(item) for item in value]
    return value


def expect_like(result: Any, expected: Any, at: str) -> None:
    if isinstance(expected, list):
        assert len(result) == len(expected), f"{at}: {result!r} has not {len(expected)} items"
        for place, item in enumerate(expected):
            expect_like(result[place], item, f"{at}.{place}")
    elif isinstance(expected, dict):
        if "matches" in expected:
            assert re.search(expected["matches"], result), f"{at}: {result!r}"
        elif "includes" in expected:
            assert expected["includes"] in result, f"{at}: {result!r}"
        else:
            for name, item in expected.items():
                expect_like(result[name], item, f"{at}.{name}")
    else:
        assert result == expected, f"{at}: {result!r} is not {expected!r}"


def expect_failure(work: Callable[[], Any], expected: dict[str, Any]) -> None:
    try:
        result = work()
    except Exception as error:
        assert type(error).__name__ == expected["type"], repr(error)
        for name in ("status", "code"):
            if name in expected:
                assert getattr(error, name) == expected[name], repr(error)
        for part in expected.get("says", []):
            assert part in str(error), str(error)
        return
    raise AssertionError(f"did not fail, but gave {result!r}")


for line in sys.stdin:
    order = json.loads(line)
    player = Player(order["url"], order["control"])
    try:
        for each in order["scenario"]["steps"]:
            player.play(each)
        player.finish()
        print(json.dumps({"ok": True}), flush=True)
    except Exception:
        print(json.dumps({"ok": False, "error": traceback.format_exc()}), flush=True)
