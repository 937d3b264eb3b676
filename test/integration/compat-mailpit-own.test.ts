// Mailpit's own tests of its REST interface (server/server_test.go of v1.33.1), translated, against our dialect. Left
// out: its settings for credentials and sizes, tags, which are not kept here, and Bcc, which only the session of the
// recipient sees.

import { expect, it } from 'vitest';

import { bearer } from './compat-harness.ts';
import { ask, type HttpAnswer } from './http-harness.ts';
import { type Client, openMailpit } from './mailpit-client.ts';

interface Summary {
  readonly ID: string;
  readonly From: { readonly Address: string };
  readonly To: readonly { readonly Address: string }[];
}

async function insertEmailData({ deliver }: Client): Promise<void> {
  for (let at = 0; at < 100; at++) {
    await deliver(
      `From: "From ${at}" <from-${at}@example.com>\r\nTo: "To ${at}" <to-${at}@example.com>\r\n` +
        `Subject: Subject line ${at} end\r\n\r\nThis is the email body ${at} <jdsauk;dwqmdqw;>.\r\n`,
    );
  }
}

async function expectStats({ get }: Client, unread: number, total: number): Promise<void> {
  const { json } = await get('/api/v1/messages');
  expect([json.unread, json.total]).toEqual([unread, total]);
}

async function listMessages({ get }: Client): Promise<readonly Summary[]> {
  return (await get('/api/v1/messages')).json.messages as Summary[];
}

/** Without a media type, as Go's client sends it. */
async function sendRaw(
  client: Client,
  token: string,
  [method, path, body]: readonly [string, string, string],
): Promise<HttpAnswer> {
  return ask(client.harness, path, { method, headers: bearer(token), body });
}

it('TestAPIv1Messages', async () => {
  const client = await openMailpit();
  await expectStats(client, 0, 0);
  await insertEmailData(client);
  await expectStats(client, 100, 100);
  const messages = await listMessages(client);
  for (const { ID: id } of messages.slice(0, 10)) {
    for (const rest of ['', '/raw', '/headers']) {
      expect((await client.get(`/api/v1/message/${id}${rest}`)).status).toBe(200);
    }
  }
  await expectStats(client, 90, 100);
  const [first] = messages;
  const twice = { IDs: [first?.ID, first?.ID] };
  expect((await client.send('DELETE', '/api/v1/messages', twice)).status).toBe(200);
  await expectStats(client, 90, 99);
  expect((await client.send('DELETE', '/api/v1/messages', { IDs: [] })).status).toBe(200);
  await expectStats(client, 0, 0);
});

it('TestAPIv1Messages: a body that cannot be decoded deletes nothing', async () => {
  const client = await openMailpit();
  const { token, session } = await client.harness.lend();
  const ofToken = async (): Promise<number> =>
    (await ask(client.harness, '/api/v1/messages', { headers: bearer(token) })).json.total as number;
  await client.harness.deliver('Subject: x\r\n\r\n', [session]);
  for (const body of ['{ids:[abc]}', '{"IDs":"abc"}', '{"IDs":["abc"', 'ids=abc']) {
    const { status } = await sendRaw(client, token, ['DELETE', '/api/v1/messages', body]);
    expect([body, status]).toEqual([body, 400]);
    expect(await ofToken()).toBe(1);
  }
  expect((await sendRaw(client, token, ['DELETE', '/api/v1/messages', '{}'])).status).toBe(200);
  expect(await ofToken()).toBe(0);
  await client.harness.deliver('Subject: x\r\n\r\n', [session]);
  expect((await sendRaw(client, token, ['DELETE', '/api/v1/messages', ''])).status).toBe(200);
  expect(await ofToken()).toBe(0);
});

it('TestAPIv1ToggleReadStatus', async () => {
  const client = await openMailpit();
  await insertEmailData(client);
  const ids = (await listMessages(client)).slice(0, 10).map(({ ID: id }) => id);
  const put = async (Read: boolean, IDs: readonly (string | undefined)[], left: number): Promise<void> => {
    expect((await client.send('PUT', '/api/v1/messages', { Read, IDs })).status).toBe(200);
    await expectStats(client, left, 100);
  };
  await put(true, ids, 90);
  await put(false, ids, 100);
  await put(true, [ids[0], ids[0]], 99);
  await put(false, [ids[0], ids[0]], 100);
  await put(true, [], 0);
});

it('TestAPIv1Search', async () => {
  const client = await openMailpit();
  await insertEmailData(client);
  const counts: readonly [query: string, count: number][] = [
    ['from-1@example.com', 1],
    ['from:from-1@example.com', 1],
    ['-from:from-1@example.com', 99],
    ['-FROM:FROM-1@EXAMPLE.COM', 99],
    ['to:from-1@example.com', 0],
    ['from:@example.com', 100],
    ['subject:"Subject line"', 100],
    ['subject:"SUBJECT LINE 17 END"', 1],
    ['!thisdoesnotexist', 100],
    ['-ThisDoesNotExist', 100],
    ['thisdoesnotexist', 0],
  ];
  for (const [query, count] of counts) {
    const found = await client.get(`/api/v1/search?query=${encodeURIComponent(query)}&limit=${count}`);
    expect([query, found.json.messages_count]).toEqual([query, count]);
  }
});

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

it('TestAPIv1Send', async () => {
  const client = await openMailpit();
  const sent = await client.send('POST', '/api/v1/send', {
    From: { Email: 'john@example.com', Name: 'John Doe' },
    To: [{ Email: 'jane@example.com', Name: 'Jane Doe' }],
    Cc: [
      { Email: 'manager1@example.com', Name: 'Manager 1' },
      { Email: 'manager2@example.com', Name: 'Manager 2' },
    ],
    Bcc: ['jack@example.com'],
    Headers: { 'X-IP': '1.2.3.4' },
    Subject: 'Mailpit message via the HTTP API',
    Text: 'This is the text body',
    HTML: '<p style="font-family: arial">Mailpit is <b>awesome</b>!</p>',
    Attachments: [
      { Content: 'VGhpcyBpcyBhIHBsYWluIHRleHQgYXR0YWNobWVudA==', Filename: 'Attached File.txt' },
      { Content: png, Filename: 'logo.png', ContentID: 'inline-cid', ContentType: 'overridden/type' },
    ],
    ReplyTo: [{ Email: 'secretary@example.com', Name: 'Secretary' }],
  });
  const message = (await client.get(`/api/v1/message/${sent.json.ID}`)).json;
  expect(message).toMatchObject({
    Subject: 'Mailpit message via the HTTP API',
    Text: 'This is the text body',
    HTML: '<p style="font-family: arial">Mailpit is <b>awesome</b>!</p>',
    From: { Name: 'John Doe', Address: 'john@example.com' },
    To: [{ Name: 'Jane Doe', Address: 'jane@example.com' }],
    Cc: [
      { Name: 'Manager 1', Address: 'manager1@example.com' },
      { Name: 'Manager 2', Address: 'manager2@example.com' },
    ],
    ReplyTo: [{ Name: 'Secretary', Address: 'secretary@example.com' }],
    Attachments: [{ FileName: 'Attached File.txt', ContentType: 'text/plain' }],
    Inline: [{ FileName: 'logo.png', ContentType: 'overridden/type' }],
  });
  const part = await client.get(`/api/v1/message/${sent.json.ID}/part/${message.Attachments[0].PartID}`);
  expect(part.text).toBe('This is a plain text attachment');
});

it('TestAPIv1SendInvalidHeaders', async () => {
  const client = await openMailpit();
  const send = async (key: string): Promise<number> =>
    (
      await client.send('POST', '/api/v1/send', {
        From: { Email: 'test@example.com' },
        To: [{ Email: 'recipient@example.com' }],
        Subject: 'Test',
        Text: 'Body',
        Headers: { [key]: 'value' },
      })
    ).status;
  for (const key of ['X-Custom', 'X-IP', 'X-My-Header-123']) {
    expect([key, await send(key)]).toEqual([key, 200]);
  }
  const wrong = [
    'X-Custom\r\nSender: evil@example.com\r\nX-End',
    'X-Custom: custom-value\r\nSender: evil@example.com\r\nX-End',
    ...['X Custom', 'X\tCustom', 'X:Custom', '', 'X-Head\x00r'],
  ];
  for (const key of wrong) expect([key, await send(key)]).toEqual([key, 400]);
});

it('TestAPIv1QuotedLocalPartStore', async () => {
  const client = await openMailpit();
  const number = await client.deliver(
    'From: <"odd user"@example.com>\r\nTo: <"a@b"@example.com>\r\nSubject: Quoted local-part test\r\n' +
      'MIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\nTest body\r\n',
  );
  const expected = { From: { Address: '"odd user"@example.com' }, To: [{ Address: '"a@b"@example.com' }] };
  expect((await client.get(`/api/v1/message/${client.id(number)}`)).json).toMatchObject(expected);
  expect(await listMessages(client)).toMatchObject([expected]);
});

it('TestAPIv1QuotedLocalPartSend', async () => {
  const client = await openMailpit();
  const sent = await client.send('POST', '/api/v1/send', {
    From: { Email: '"odd user"@example.com' },
    To: [{ Email: '"a@b"@example.com', Name: 'Quoted Recipient' }],
    Subject: 'Quoted local-part via Send API',
    Text: 'Test body',
  });
  expect((await client.get(`/api/v1/message/${sent.json.ID}`)).json).toMatchObject({
    From: { Address: '"odd user"@example.com' },
    To: [{ Address: '"a@b"@example.com', Name: 'Quoted Recipient' }],
  });
});
