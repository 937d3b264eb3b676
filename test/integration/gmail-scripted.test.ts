// IMAP server behaviour that Dovecot cannot be made to show: Gmail's attributes, refusals, malicious responses,
// connections that break or hang. Each message must arrive once, over at most three connections.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { beforeEach, expect, it, onTestFinished } from 'vitest';

import { createSafeFetch } from '#networks/safe-fetch';
import { eventually } from '../support/eventually.ts';
import {
  arrivedMail,
  type Polled,
  type PolledOptions,
  startPolled,
} from '../support/gmail/polled-account.ts';
import { toInternalDate } from '../support/gmail/scripted-imap-messages.ts';
import { type OnCommand, ScriptedImap } from '../support/gmail/scripted-imap.ts';

let imap: ScriptedImap;

beforeEach(async () => {
  imap = await ScriptedImap.start();
  return async () => {
    expect(imap.mostAtOnce).toBeLessThanOrEqual(3);
    await imap.close();
  };
});

async function startWith(options: Partial<PolledOptions> = {}): Promise<Polled> {
  const polled = await startPolled({ port: imap.port, ...options });
  await polled.untilHealth('healthy');
  return polled;
}

/** Waits for the last message, when all earlier ones have been processed. */
async function untilLast(
  polled: Polled,
  { email, token }: { email: string; token: string },
): Promise<string[]> {
  imap.arrive(arrivedMail(email, 'Last'));
  return eventually(async () => {
    const subjects = await polled.subjects(token);
    return subjects.includes('Last') ? subjects : undefined;
  }, 'the last message is there');
}

it('recognises a message by its Gmail id under any later UID', async () => {
  const polled = await startWith();
  const lent = await polled.lend();
  const raw = arrivedMail(lent.email, 'One');
  imap.arrive(raw, { gmailId: '1278455344230334865' });
  await polled.untilMessages(lent.token, 1);
  imap.arrive(Buffer.concat([Buffer.from('X-Moved: yes\r\n'), raw]), { gmailId: '1278455344230334865' });
  imap.arrive(raw, { gmailId: '1278455344230334866' });
  expect(await untilLast(polled, lent)).toEqual(['One', 'One', 'Last']);
});

it('recognises a message without one by its header, whatever its Message-ID is', async () => {
  const polled = await startWith();
  const lent = await polled.lend();
  const withId = (id: string): Buffer =>
    Buffer.from(
      arrivedMail(lent.email, 'Evil')
        .toString()
        .replace(/^Message-ID: .*$/m, `Message-ID: ${id}`),
    );
  const ids = ['<a@b>\r\n A1 LOGOUT', '<a@b>"\r\n\tUID STORE 1:* FLAGS (\\Deleted)', '{9999999999}', '\0'];
  for (const id of ids) imap.arrive(withId(id));
  for (const id of ids) imap.arrive(withId(id));
  expect(await untilLast(polled, lent)).toEqual(['Evil', 'Evil', 'Evil', 'Evil', 'Last']);
  expect(imap.commands.filter((command) => /^(?:LOGOUT|UID STORE)/.test(command))).toEqual([]);
});

it('reads only new mail, in little memory, on its first visit to 100,000 messages', async () => {
  const old = arrivedMail('quiet.fox@gmail.com', 'Old');
  for (let at = 0; at < 100_000; at++) imap.arrive(old);
  const before = process.memoryUsage().heapUsed;
  const polled = await startWith();
  const lent = await polled.lend();
  expect(await untilLast(polled, lent)).toEqual(['Last']);
  expect(
    imap.commands.filter((command) => command.startsWith('UID FETCH') && !command.includes('100001')),
  ).toEqual([]);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
});

it('fetches no header while no alias is lent, and counts arrivals', async () => {
  const polled = await startWith();
  imap.arrive(arrivedMail('quiet.fox@gmail.com', 'Private'));
  await eventually(
    async () => ((await polled.account()).unmatched === 1 ? true : undefined),
    'it is counted',
  );
  expect(imap.commands.filter((command) => command.startsWith('UID FETCH'))).toEqual([]);
});

it('fetches only the header of mail without a recipient', async () => {
  const polled = await startWith();
  const lent = await polled.lend();
  imap.arrive(arrivedMail('quiet.fox@gmail.com', 'Private'));
  await eventually(
    async () => ((await polled.account()).unmatched === 1 ? true : undefined),
    'it is counted',
  );
  expect(imap.commands.filter((command) => command.startsWith('UID FETCH'))).toEqual([
    'UID FETCH 1 (UID INTERNALDATE RFC822.SIZE X-GM-MSGID BODY.PEEK[HEADER]<0.65536>)',
  ]);
  expect(await polled.subjects(lent.token)).toEqual([]);
});

it('delivers each message once when connections are reset at every 97th fetched byte', async () => {
  const polled = await startWith({ times: { backoffMinMs: 1, backoffMaxMs: 2 } });
  const lent = await polled.lend();
  let cut = 0;
  const cutting: OnCommand = ({ name, connection }) => {
    if (name === 'EXAMINE') connection.fetchBytesLeft = cut += 97;
    return undefined;
  };
  imap.onCommand = cutting;
  for (const connection of imap.connections) connection.fetchBytesLeft = 0;
  for (let at = 0; at < 3; at++) imap.arrive(arrivedMail(lent.email, `Code ${at}`, 'x'.repeat(1500)));
  await polled.untilMessages(lent.token, 3);
  expect(cut / 97).toBeGreaterThan(20);
  imap.onCommand = undefined;
  for (const connection of imap.connections) connection.fetchBytesLeft = Infinity;
  expect(await untilLast(polled, lent)).toEqual(['Code 0', 'Code 1', 'Code 2', 'Last']);
});

it('delivers each message once when the folder changes its UIDs five times', async () => {
  const polled = await startWith({ times: { watchdogMs: 50, cleanupMs: 50 } });
  const lent = await polled.lend();
  for (let round = 0; round < 5; round++) {
    imap.arrive(arrivedMail(lent.email, `Code ${round}`));
    await polled.untilMessages(lent.token, round + 1);
    imap.uidValidity += 1;
    const kept = imap.messages.splice(0).reverse();
    imap.uidNext = 100 - 10 * round;
    for (const { raw, arrivedAt } of kept) imap.arrive(raw, { arrivedAt });
  }
  const subjects = await untilLast(polled, lent);
  expect(subjects).toEqual(['Code 0', 'Code 1', 'Code 2', 'Code 3', 'Code 4', 'Last']);
  const { gmail } = polled.harness.store;
  await eventually(
    async () => ((await gmail.findCursor(1, 'INBOX'))?.uidValidity === 6 ? true : undefined),
    'it is kept',
  );
});

it('fetches none of 100,000 old messages when the folder changes its UIDs while an alias is lent', async () => {
  const polled = await startWith({ times: { watchdogMs: 50, cleanupMs: 50 } });
  const lent = await polled.lend();
  const old = arrivedMail(lent.email, 'Old');
  const longAgo = new Date(Date.now() - 30 * 86_400_000);
  imap.uidValidity += 1;
  for (let at = 0; at < 100_000; at++) imap.messages.push({ uid: at + 1, raw: old, arrivedAt: longAgo });
  imap.uidNext = 100_001;
  expect(await untilLast(polled, lent)).toEqual(['Last']);
  const fetched = imap.commands.filter((command) => command.startsWith('UID FETCH'));
  expect(fetched.filter((command) => !command.startsWith('UID FETCH 100001 '))).toEqual([]);
  expect(imap.commands.filter((command) => command.startsWith('UID SEARCH')).length).toBeLessThan(100);
});

it('logs in with an access token, and gets a new one when it is refused', async () => {
  const given: string[] = [];
  const server = createServer((request, response) => {
    let form = '';
    request.setEncoding('utf8').on('data', (text: string) => (form += text));
    request.on('end', () => {
      given.push(form);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ access_token: `token-${given.length}`, expires_in: 3600 }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const credentials = {
    kind: 'oauth2',
    clientId: 'id',
    clientSecret: 'secret',
    refreshToken: 'r3fr3sh',
    tokenUrl: `http://127.0.0.1:${port}/token`,
  } as const;
  const payload = (token: string): string =>
    Buffer.from(`user=quiet.fox@gmail.com\x01auth=Bearer ${token}\x01\x01`).toString('base64');
  imap.onCommand = ({ tag, words }) =>
    words === `XOAUTH2 ${payload('token-1')}`
      ? `${tag} NO [AUTHENTICATIONFAILED] Invalid credentials\r\n`
      : undefined;
  const safeFetch = createSafeFetch({ schemes: ['http'], ports: [port], allow: ['127.0.0.1'] });
  await startWith({ credentials, account: { auth: 'oauth2' }, parts: { fetch: safeFetch } });
  expect(given[0]).toBe('grant_type=refresh_token&client_id=id&refresh_token=r3fr3sh&client_secret=secret');
  const logins = imap.commands.filter((command) => command.startsWith('AUTHENTICATE'));
  expect(logins.slice(0, 2)).toEqual(
    ['token-1', 'token-2'].map((token) => `AUTHENTICATE XOAUTH2 ${payload(token)}`),
  );
});

it('stops when the refresh token is refused', async () => {
  const credentials = {
    kind: 'oauth2',
    clientId: 'id',
    clientSecret: '',
    refreshToken: 'r3fr3sh',
    tokenUrl: 'https://token.example/',
  } as const;
  const fetch = () => Promise.resolve({ status: 400, headers: {}, body: Buffer.alloc(0) });
  const polled = await startPolled({ port: imap.port, credentials, parts: { fetch } });
  const { detail } = await polled.untilHealth('refused');
  expect(detail).toBe('The token URL refused the refresh token (400).');
  expect(imap.opened).toBe(0);
});

it('skips messages removed during a fetch', async () => {
  const polled = await startWith();
  const lent = await polled.lend();
  imap.onCommand = ({ tag, name, words }) => {
    if (name !== 'UID FETCH' || !words.includes('BODY.PEEK[]')) return undefined;
    const uid = Number(words.split(' ')[0]);
    const at = imap.messages.findIndex((message) => message.uid === uid);
    if (uid > 2) return undefined;
    imap.messages.splice(at, 1);
    return uid === 1 ? `* ${at + 1} EXPUNGE\r\n${tag} OK done\r\n` : `${tag} NO [EXPUNGEISSUED] gone\r\n`;
  };
  for (const subject of ['Gone', 'Refused', 'Kept']) imap.arrive(arrivedMail(lent.email, subject));
  await polled.untilMessages(lent.token, 1);
  expect(await untilLast(polled, lent)).toEqual(['Kept', 'Last']);
});

const evilAnswers: Readonly<Record<string, (tag: string) => string | Buffer>> = {
  'a literal of 9,999,999,999 bytes': () => '* 1 FETCH (UID 1 BODY[HEADER]<0> {9999999999}\r\n',
  'a literal that is longer than asked for': () =>
    `* 1 FETCH (UID 1 BODY[HEADER]<0> {2000000}\r\n${'x'.repeat(2_000_000)})\r\n`,
  'a line without an end': () => Buffer.alloc(5_000_000, 'x'),
  '100,000 nested parentheses': (tag) => `* 1 FETCH ${'('.repeat(100_000)}\r\n${tag} OK done\r\n`,
  'many answers nobody asked for': (tag) =>
    `${'* 7 FETCH (UID 7 FLAGS (\\Seen))\r\n'.repeat(900)}${tag} OK done\r\n`,
  'a flood of them': () => '* 7 FETCH (UID 7 FLAGS (\\Seen))\r\n'.repeat(150_000),
};

for (const [name, answer] of Object.entries(evilAnswers)) {
  it(`survives ${name}, and continues with the next message`, async () => {
    const polled = await startWith({ times: { backoffMinMs: 1, backoffMaxMs: 5 } });
    const lent = await polled.lend();
    const before = process.memoryUsage().rss;
    imap.onCommand = ({ tag, name: command, words }) =>
      command === 'UID FETCH' && /^1[ ,]/.test(words) ? answer(tag) : undefined;
    imap.arrive(arrivedMail(lent.email, 'Evil'));
    imap.arrive(arrivedMail(lent.email, 'Good'));
    expect(await polled.untilMessages(lent.token, 1)).toEqual(['Good']);
    expect(await untilLast(polled, lent)).toEqual(['Good', 'Last']);
    expect(process.memoryUsage().rss - before).toBeLessThan(400_000_000);
  });
}

it('misses nothing below a UID that the server announces but does not have', async () => {
  const polled = await startWith();
  const lent = await polled.lend();
  imap.onCommand = ({ name, connection }) => {
    if (name === 'UID SEARCH') connection.socket.write('* 7 FETCH (UID 4000 FLAGS (\\Seen))\r\n');
    return undefined;
  };
  for (const subject of ['One', 'Two', 'Three']) {
    imap.arrive(arrivedMail(lent.email, subject));
    await eventually(
      async () => (await polled.subjects(lent.token)).find((seen) => seen === subject),
      `${subject} is there`,
    );
  }
});

it('refuses a message over the limit by its announced size, and one with a false size', async () => {
  const polled = await startWith({ settings: { messageMaxBytes: 300_000 } });
  const lent = await polled.lend();
  imap.arrive(arrivedMail(lent.email, 'Large', 'x'.repeat(300_000)));
  imap.onCommand = ({ name, words, connection, tag }) => {
    if (name !== 'UID FETCH' || !words.startsWith('2 ') || !words.includes('RFC822.SIZE')) return undefined;
    const header = imap.messages[1]?.raw.subarray(0, 900).toString('latin1') ?? '';
    connection.socket.write(`* 2 FETCH (UID 2 INTERNALDATE ${toInternalDate(new Date())} RFC822.SIZE 10 `);
    return `BODY[HEADER]<0> {${header.length}}\r\n${header})\r\n${tag} OK done\r\n`;
  };
  imap.arrive(arrivedMail(lent.email, 'Liar', 'x'.repeat(3_000_000)));
  expect(await untilLast(polled, lent)).toEqual(['Last']);
  const fetched = imap.commands.filter(
    (command) => command.startsWith('UID FETCH 1 ') && command.includes('PEEK[]'),
  );
  expect(fetched).toEqual([]);
});

it('detects a half-open connection, and reconnects', async () => {
  const polled = await startWith({ times: { watchdogMs: 100, cleanupMs: 100, exchangeMs: 1000 } });
  const lent = await polled.lend();
  const dead = [...imap.connections];
  imap.onCommand = ({ connection }) => (dead.includes(connection) ? null : undefined);
  for (const connection of dead) connection.socket.pause();
  expect(await untilLast(polled, lent)).toEqual(['Last']);
});

it('waits longer when throttled, and informs the operator', async () => {
  const refusals = [
    'NO [ALERT] Too many simultaneous connections. (Failure)',
    'NO [THROTTLED] slow down',
    'NO [OVERQUOTA] Account exceeded command or bandwidth limits. (Failure)',
    'NO [UNAVAILABLE] Temporary authentication failure.',
  ];
  let tries = 0;
  imap.onCommand = ({ tag, name }) =>
    name === 'AUTHENTICATE' && tries < refusals.length ? `${tag} ${refusals[tries++]}\r\n` : undefined;
  const polled = await startPolled({ port: imap.port, times: { throttledMs: 300, backoffMaxMs: 300 } });
  const begunAt = performance.now();
  const failing = await polled.untilHealth('failing');
  expect(failing.detail).toMatch(/^The server throttles the account: .*Too many simultaneous connections/);
  await polled.untilHealth('healthy');
  expect(tries).toBe(4);
  expect(performance.now() - begunAt).toBeGreaterThan(4 * 150 - 50);
});

it('reconnects after BYE, with everything that arrived meanwhile', async () => {
  const polled = await startWith();
  const lent = await polled.lend();
  for (const { socket } of imap.connections) socket.end('* BYE Session expired, please login again.\r\n');
  imap.arrive(arrivedMail(lent.email, 'Meanwhile'));
  expect(await untilLast(polled, lent)).toEqual(['Meanwhile', 'Last']);
});

it('stops at a refused login, reports it without the password, and does not log in again', async () => {
  imap.onCommand = ({ tag, name }) =>
    name === 'AUTHENTICATE' ? `${tag} NO [AUTHENTICATIONFAILED] hunter2-hunter2 is wrong\r\n` : undefined;
  const polled = await startPolled({ port: imap.port });
  const { detail } = await polled.untilHealth('refused');
  expect(detail).toBe('The server refused the login: *** is wrong');
  for (let at = 0; at < 5; at++) polled.pollers.wake();
  await eventually(
    async () => ((await polled.parts.leases.takeLease('gmail:1', 'other', 1)) ? true : undefined),
    'the lease is free',
  );
  expect(imap.opened).toBe(1);
});

it('stops when another node has the lease', async () => {
  const polled = await startWith({ times: { leaseMs: 300, listMs: 50 } });
  const lent = await polled.lend();
  polled.harness.advance(301);
  const other = await eventually(
    () => polled.parts.leases.takeLease('gmail:1', 'other', 3_600_000),
    'it is to be had',
  );
  expect(other.epoch).toBe(2);
  await eventually(
    async () => (imap.connections.size === 0 ? true : undefined),
    'the connections are closed',
  );
  imap.arrive(arrivedMail(lent.email, 'For the other'));
  expect(await polled.subjects(lent.token)).toEqual([]);
  expect((await polled.account()).health).toBe('healthy');
});

it('leaves delivered messages alone if none can be moved singly', async () => {
  await imap.close();
  imap = await ScriptedImap.start({ capabilities: 'IMAP4rev1 AUTH=PLAIN' });
  const polled = await startWith();
  const lent = await polled.lend();
  imap.arrive(arrivedMail(lent.email, 'One'));
  await polled.untilMessages(lent.token, 1);
  polled.harness.advance(3_601_000);
  await polled.harness.store.mail.endDueSessions(10);
  const { gmail } = polled.harness.store;
  await eventually(
    async () => ((await gmail.listDueCleanups(1, 9)).length === 0 ? true : undefined),
    'it is let be',
  );
  expect(imap.commands.filter((command) => /EXPUNGE|STORE|COPY|MOVE|SELECT/.test(command))).toEqual([]);
});

it('moves only the message that was delivered', async () => {
  const polled = await startWith();
  const lent = await polled.lend();
  imap.arrive(arrivedMail(lent.email, 'One'), { gmailId: '1' });
  imap.arrive(arrivedMail(lent.email, 'Two'), { gmailId: '2' });
  await polled.untilMessages(lent.token, 2);
  imap.messages[0] = {
    uid: 1,
    raw: arrivedMail('quiet.fox@gmail.com', 'Private'),
    arrivedAt: new Date(),
    gmailId: '3',
  };
  polled.harness.advance(3_601_000);
  await polled.harness.store.mail.endDueSessions(10);
  await eventually(
    async () => (imap.commands.some((command) => command.startsWith('UID MOVE')) ? true : undefined),
    'one is moved',
  );
  expect(imap.commands.filter((command) => command.startsWith('UID MOVE'))).toEqual(['UID MOVE 2 Bin']);
});
