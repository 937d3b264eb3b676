// The types of the Python client, checked as a strict user checks them, and its masks of mail.

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, it } from 'vitest';

import { createFolder, python, pythonPath } from '../support/clients/client-folders.ts';
import { runProgram } from '../support/servers/run-program.ts';

const example = `from typing import assert_type

from mayfly_client import AsyncCapture, AsyncInbox, AsyncMayfly, Capture, Inbox, Mayfly


class Own(Mayfly):
    pass


def use() -> None:
    with Mayfly().create_inbox() as inbox:
        assert_type(inbox, Inbox)
        assert_type(inbox.wait_for_code(), str)
    with Mayfly().create_capture() as capture:
        assert_type(capture, Capture)
        assert_type(capture.smtp.port, int)
    with Own() as own:
        assert_type(own, Own)


async def use_async() -> None:
    async with AsyncMayfly() as mayfly:
        assert_type(mayfly, AsyncMayfly)
        async with await mayfly.create_inbox() as inbox:
            assert_type(inbox, AsyncInbox)
        async with await mayfly.create_capture() as capture:
            assert_type(capture, AsyncCapture)
`;

it('an inbox keeps its type in `with`, and the client passes the strict check itself', async () => {
  const folder = await createFolder();
  await writeFile(path.join(folder, 'example.py'), example);
  const strict = ['-m', 'mypy', '--strict', '--cache-dir', path.join(folder, 'cache')];
  const checked = ['example.py', path.resolve('clients/python/src/mayfly_client')];
  const env = { ...process.env, MYPYPATH: path.resolve('clients/python/src') };
  expect(await runProgram(python, [...strict, ...checked], { cwd: folder, env })).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^Success: no issues found/) as string,
  });
});

it('masks mail as the client for TypeScript does', async () => {
  const file = 'test/fixtures/masks/mails.json';
  const script = `import json
from mayfly_client._decode import decode
from mayfly_client._mask import mask_mail
from mayfly_client.models import Message
empty = dict.fromkeys(Message.__annotations__)
templates = json.load(open("${file}", encoding="utf-8"))
print(json.dumps([[mask_mail(decode(Message, {**empty, **mail})).split("\\n") for mail in one["mails"]] for one in templates]))`;
  const { stdout, stderr } = await runProgram(python, ['-c', script], {
    env: { ...process.env, ...pythonPath },
  });
  expect(stderr).toBe('');
  const templates = JSON.parse(await readFile(file, 'utf8')) as { mails: object[]; masked: string[] }[];
  expect(JSON.parse(stdout)).toEqual(templates.map(({ mails, masked }) => mails.map(() => masked)));
});
