// The assertions for pytest in pytest itself: what passes, and what the report of a failure says.

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, it } from 'vitest';

import { createFolder, pytest, python, pythonPath } from '../support/clients/client-folders.ts';
import { startDev } from '../support/service/dev-process.ts';
import { runProgram } from '../support/servers/run-program.ts';

const code = `
import os
import re
import smtplib
from email.message import EmailMessage

import pytest
from mayfly_client.testing import assert_received, assert_report

def send(to, number, html=None, subject="Welcome to the shop"):
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "Shop <hello@shop.example>", to, subject
    link = f"https://shop.example/verify/a1B2c3D4e5F6{number}g7H8?user={1000 + number}"
    message.set_content(f"Hello, your code is {482913 + number}.\\nIt is good until 2026-11-{10 + number} 10:00.\\n\\n{link}\\n")
    message.add_alternative(html or f'<html lang="en"><head><title>x</title></head><body><p>Hello, your code is <b>{482913 + number}</b>.</p><p>It is good until 2026-11-{10 + number} 10:00.</p><a href="{link}">Confirm</a></body></html>', subtype="html")
    with smtplib.SMTP("127.0.0.1", int(os.environ["SMTP_PORT"])) as smtp:
        smtp.send_message(message)

def test_passes(inbox, mail_snapshot):
    for number in (1, 2):
        send(inbox.email, number)
        found = assert_received(inbox, subject=re.compile("^Welcome"), from_="shop", to=inbox.email, code=str(482913 + number))
        assert found.code == str(482913 + number)
        mail = inbox.wait_for_message()
        assert_report(inbox, mail, max="warning")
        mail_snapshot.check(mail, "welcome")

def test_report(inbox):
    send(inbox.email, 1, html='<html lang="en"><p>Hello {{name}}</p><a href="https://evil.example/">www.bank.example</a></html>')
    assert_report(inbox, inbox.wait_for_message())

def test_received(inbox):
    send(inbox.email, 1)
    assert_received(inbox, subject="Welcome", code="111111", timeout=0.3)

class TestNames:
    @pytest.mark.parametrize("path", ["a/b", "a-b"])
    def test_snapshot(self, inbox, mail_snapshot, path):
        send(inbox.email, 1, subject=path)
        mail_snapshot.check(inbox.wait_for_message(), "../x")

@pytest.mark.parametrize("wanted", [{"subject": 5}, {"code": 482914}, {"timeout": "1"}])
def test_refused(inbox, wanted):
    with pytest.raises(TypeError):
        assert_received(inbox, **wanted)

def test_snapshot(inbox, mail_snapshot):
    send(inbox.email, 1, subject=os.environ["SUBJECT"])
    mail_snapshot.check(inbox.wait_for_message())
`;

it('pass, and say why they fail', async () => {
  const { origin, smtpPort } = await startDev();
  const folder = await createFolder();
  await writeFile(path.join(folder, 'test_mail.py'), code);
  const run = async (
    subject: string,
    more: NodeJS.ProcessEnv = {},
    words: readonly string[] = [],
  ): Promise<string> => {
    const env = {
      ...process.env,
      CI: '',
      ...pythonPath,
      MAYFLY_URL: origin,
      SMTP_PORT: String(smtpPort),
      SUBJECT: subject,
      ...more,
    };
    const { stdout, stderr } = await runProgram(
      python,
      [...pytest, '-p', 'no:cacheprovider', 'test_mail.py', ...words],
      { cwd: folder, env },
    );
    return stdout + stderr;
  };
  expect(await run('Welcome', { CI: 'true' }, ['-k', 'test_passes'])).toContain('There is no snapshot');
  const first = await run('Welcome');
  expect(first).toMatch(/2 failed, 7 passed/);
  for (const part of [
    'AssertionError: The report has',
    'error links/misleading at html:1:',
    'The text names www.bank.example, but the link leads to evil.example.',
    'error leftover/placeholder at html:1:',
    'has not received a message with subject "Welcome" with code "111111" within 0.3 s.',
    '"Welcome to the shop" from hello@shop.example: its code is "482914", not "111111"',
  ]) {
    expect(first).toContain(part);
  }
  const snapshot = await readFile(
    path.join(folder, '__snapshots__/test_mail/test_passes-welcome.txt'),
    'utf8',
  );
  for (const part of ['your code is [code].', 'It is good until [date].', '/verify/[token]?user=[token]']) {
    expect(snapshot).toContain(part);
  }
  const second = await run('Changed');
  expect(second).toContain('-Subject: Welcome');
  expect(second).toContain('+Subject: Changed');
  expect(second).toContain('Run pytest with --mayfly-update-snapshots');
  expect(await run('Changed', {}, ['-k', 'test_snapshot', '--mayfly-update-snapshots'])).toContain(
    '3 passed',
  );
  expect(await run('Changed', {}, ['-k', 'test_snapshot'])).toContain('3 passed');
}, 120_000);
