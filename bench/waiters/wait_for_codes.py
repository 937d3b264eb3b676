"""Prints codes as they come, by the Python client; with --async by the one for asyncio. Started by measure-clients.ts."""

import asyncio
import sys

from mayfly_client import AsyncMayfly, Mayfly


def say(line: str) -> None:
    print(line, flush=True)


def wait() -> None:
    inbox = Mayfly().create_inbox()
    say(inbox.email)
    while True:
        say("waiting")
        say(inbox.wait_for_code(timeout=60))


async def wait_with_asyncio() -> None:
    inbox = await AsyncMayfly().create_inbox()
    say(inbox.email)
    while True:
        say("waiting")
        say(await inbox.wait_for_code(timeout=60))


if "--async" in sys.argv:
    asyncio.run(wait_with_asyncio())
else:
    wait()
