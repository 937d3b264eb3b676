import { expect, it } from 'vitest';

import { MayflyUnreachable } from './errors.ts';
import { Mayfly } from './mayfly.ts';

const answer = {
  status: 'success',
  email: 'quiet-fox@mayfly.test',
  token: 'mf_token',
  expires_at: '2030-01-02 03:04:05',
  smtp: { host: 'mayfly.test', port: 25, username: 'quiet-fox', password: 'mf_token' },
};
const mayfly = new Mayfly({ url: 'http://127.0.0.1:1', fetch: async () => Response.json(answer) });

it.each([
  ['created', () => mayfly.createInbox()],
  ['created for any recipient', () => mayfly.createCapture()],
  ['reopened', () => mayfly.reopen('mf_token')],
])('tells as a date when an inbox ends that was %s', async (_, open) => {
  const { email, token, expiresAt } = await open();
  expect({ email, token }).toEqual({ email: answer.email, token: answer.token });
  expect(expiresAt).toEqual(new Date('2030-01-02T03:04:05Z'));
});

it('asks once for each of many codes, however many came before', async () => {
  const asked: number[] = [];
  const answerWait = (url: URL): object => {
    const id = Number(url.searchParams.get('after')) + 1;
    asked.push(id);
    const message = { id, code: String(1000 + id), codes: [], attachments: [], links: [] };
    return { status: 'success', message };
  };
  const counting = new Mayfly({
    url: 'http://127.0.0.1:1',
    fetch: async (input) => {
      const url = new URL(String(input instanceof Request ? input.url : input));
      return Response.json(url.pathname === '/wait-mail' ? answerWait(url) : answer);
    },
  });
  const inbox = await counting.createInbox();
  const codes: string[] = [];
  for (let call = 0; call < 5; call += 1) codes.push(await inbox.waitForCode());
  expect(codes).toEqual(['1001', '1002', '1003', '1004', '1005']);
  // Another match begins at the oldest message again.
  expect(await inbox.waitForMessage({ subject: 'Your' })).toMatchObject({ id: 1 });
  expect(asked).toEqual([1, 2, 3, 4, 5, 1]);
});

it.each([
  ['a success', 200],
  ['a refusal', 503],
])('asks again after the body of %s was cut off', async (_, status) => {
  let asked = 0;
  const cutting = new Mayfly({
    url: 'http://127.0.0.1:1',
    fetch: async () => {
      asked += 1;
      return asked === 1 ? new Response(cutBody(), { status }) : Response.json(answer);
    },
  });
  const inbox = await cutting.reopen('mf_token');
  expect(inbox.email).toBe(answer.email);
  expect(asked).toBe(2);
});

it('creates no second inbox when the answer to the first was cut off', async () => {
  let asked = 0;
  const cutting = new Mayfly({
    url: 'http://127.0.0.1:1',
    fetch: async () => {
      asked += 1;
      return new Response(cutBody());
    },
  });
  await expect(cutting.createInbox()).rejects.toThrow(MayflyUnreachable);
  expect(asked).toBe(1);
});

/** As `fetch` gives it when the service ends meanwhile. */
function cutBody(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"status":'));
      controller.error(new TypeError('terminated'));
    },
  });
}
