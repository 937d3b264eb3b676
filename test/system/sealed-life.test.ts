// Sealed mail through everything that can happen to a session, with the service killed after each step, so that each
// mail is sealed by another process: what opened it before opens it afterwards, and nothing else does.

import { expect, it, onTestFinished } from 'vitest';

import { usePostgresFixture } from '../support/postgres/postgres-fixture.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { type Lent, type MayflyProcess, startMayfly } from '../support/service/mayfly-process.ts';
import { greet } from '../support/smtp/smtp-client.ts';

const postgres = usePostgresFixture();
const password = 'correct horse battery';

type Settings = Readonly<Record<string, string>>;

/** Restarts after kills on one store. */
class Life {
  readonly #dataDir: string;
  readonly #settings: Settings;
  #mayfly: MayflyProcess | undefined;

  constructor(dataDir: string, settings: Settings) {
    this.#dataDir = dataDir;
    this.#settings = { MAYFLY_LIMITS_RATE: 'off', ...settings };
    onTestFinished(async () => {
      await this.#mayfly?.stop('SIGKILL');
    });
  }

  /** The running service, a new process for each step. */
  async next(): Promise<MayflyProcess> {
    await this.#mayfly?.stop('SIGKILL');
    this.#mayfly = await startMayfly(this.#dataDir, this.#settings);
    return this.#mayfly;
  }
}

async function post<T>({ origin }: MayflyProcess, operation: string, given: Settings): Promise<T> {
  const { token, ...fields } = given;
  const headers: Settings = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const body = new URLSearchParams(fields);
  const answer = await fetch(`${origin}/${operation}`, { method: 'POST', headers, body });
  expect([operation, answer.status]).toEqual([operation, 200]);
  return (await answer.json()) as T;
}

async function send(mayfly: MayflyProcess, email: string, subject: string): Promise<void> {
  const client = await greet(mayfly.smtpPort);
  const text = `From: a@b.example\r\nSubject: ${subject}\r\nContent-Type: text/html\r\n\r\n<p>Inside ${subject}</p>\r\n`;
  expect(await client.deliver(text, email)).toMatch(/^250 /);
  client.socket.destroy();
}

/** Opens everything that a token or a share can open. @returns subjects, the oldest first */
async function openAll(mayfly: MayflyProcess, token: string): Promise<string[]> {
  const list = await mayfly.listMail(token);
  for (const { id, subject } of list) {
    const read = await mayfly.call(`/read-mail?id=${id}`, token);
    const { message } = (await read.json()) as { message: { html_url: string; text: string } };
    expect(message.text).toContain(`Inside ${subject}`);
    const framed = await fetch(mayfly.origin + message.html_url);
    expect([framed.status, (await framed.text()).includes(`Inside ${subject}`)]).toEqual([200, true]);
  }
  return list.map(({ subject }) => subject);
}

interface Capture {
  readonly token: string;
  readonly smtp: { readonly username: string; readonly password: string };
}

async function capture(mayfly: MayflyProcess, { smtp }: Capture, subject: string): Promise<void> {
  const client = await greet(mayfly.smtpPort);
  const login = Buffer.from(`\0${smtp.username}\0${smtp.password}`).toString('base64');
  expect(await client.command(`AUTH PLAIN ${login}`)).toMatch(/^235 /);
  expect(await client.deliver(`Subject: ${subject}\r\n\r\nInside ${subject}\r\n`, 'a@example.org')).toMatch(
    /^250 /,
  );
  client.socket.destroy();
}

async function liveThrough(life: Life): Promise<void> {
  let mayfly = await life.next();
  const lent = await mayfly.lend({ password });
  const stranger = await mayfly.lend();
  mayfly = await life.next();
  await send(mayfly, lent.email, 'one');
  mayfly = await life.next();
  const { share } = await post<{ share: string }>(mayfly, 'create-share', { token: lent.token });
  await send(mayfly, lent.email, 'two');
  mayfly = await life.next();
  expect(await openAll(mayfly, share)).toEqual(['one', 'two']);
  const { email } = await post<Lent>(mayfly, 'rename-session', { token: lent.token, prefix: 'renamed-fox' });
  expect(email).toMatch(/^renamed-fox@/);
  mayfly = await life.next();
  await send(mayfly, email, 'three');
  await post(mayfly, 'extend-session', { token: lent.token, lifetime: '7200' });
  mayfly = await life.next();
  const reopened = await post<Lent>(mayfly, 'reopen-session', { email, password });
  expect(reopened.token).toBe(lent.token);
  mayfly = await life.next();
  for (const token of [lent.token, share]) {
    expect(await openAll(mayfly, token)).toEqual(['one', 'two', 'three']);
  }
  expect(await mayfly.listMail(stranger.token)).toEqual([]);
  mayfly = await life.next();
  expect(await openAll(mayfly, lent.token)).toEqual(['one', 'two', 'three']);
  await post(mayfly, 'end-session', { token: lent.token });
  mayfly = await life.next();
  for (const token of [lent.token, share]) expect((await mayfly.call('/check-mail', token)).status).toBe(410);
}

async function captureThrough(life: Life): Promise<void> {
  let mayfly = await life.next();
  const captured = await post<Capture>(mayfly, 'create-session', { capture: '1' });
  mayfly = await life.next();
  await capture(mayfly, captured, 'first');
  mayfly = await life.next();
  await capture(mayfly, captured, 'second');
  mayfly = await life.next();
  const list = await mayfly.listMail(captured.token);
  expect(list.map(({ subject }) => subject)).toEqual(['first', 'second']);
  expect((await mayfly.readMail(captured.token, 1)).text).toContain('Inside first');
}

it('opens by token, share, link and password across kills, renames and extensions, until the end', async () => {
  await liveThrough(new Life(await useDataFolder(), {}));
}, 240_000);

it('does so on PostgreSQL', async () => {
  const settings = { MAYFLY_STORE_URL: await postgres.createUrl() };
  await liveThrough(new Life(await useDataFolder(), settings));
}, 240_000);

it('opens what was captured by several processes', async () => {
  await captureThrough(new Life(await useDataFolder(), {}));
}, 240_000);
