// Ten thousand forged and replayed requests over all providers, among real ones: none is accepted.

import { expect, it } from 'vitest';

import { mailFor, startInboundHarness } from '../support/inbound/inbound-fixture.ts';
import {
  createMailgun,
  createPostmark,
  createRaw,
  createSendgrid,
  createSes,
  type ProviderRequest,
  type TestProvider,
} from '../support/inbound/provider-requests.ts';
import { ask } from './http-harness.ts';

const minuteMs = 60_000;
const forgedEach = 1000;

interface Kind {
  readonly name: string;
  readonly provider: TestProvider;
  /** Another installation's, with keys of its own. */
  readonly stranger: TestProvider;
}

const kinds: readonly Kind[] = [
  { name: 'raw', provider: createRaw(), stranger: createRaw() },
  { name: 'cf', provider: createRaw('cloudflare'), stranger: createRaw('cloudflare') },
  { name: 'sendgrid', provider: createSendgrid(), stranger: createSendgrid() },
  { name: 'ses', provider: createSes(), stranger: createSes() },
  { name: 'mailgun', provider: createMailgun('urlencoded'), stranger: createMailgun('urlencoded') },
];

/** Flips a bit of the body or of a header field with a signature. */
function flip({ headers, body }: ProviderRequest, at: number): ProviderRequest {
  const signed = Object.keys(headers).filter((name) => /signature|timestamp|webhook-id/.test(name));
  const name = signed[at % 5];
  if (name === undefined) {
    const changed = Buffer.from(body);
    changed[(at * 7919) % changed.length]! ^= 1 << (at % 7);
    return { headers, body: changed };
  }
  const value = headers[name]!;
  const place = Math.min(value.length - 1, Math.max(0, value.length - 3 - (at % 8)));
  const other =
    value[place] === 'A' ? 'B' : /\d/.test(value[place]!) ? String((Number(value[place]) + 1) % 10) : 'A';
  return { headers: { ...headers, [name]: value.slice(0, place) + other + value.slice(place + 1) }, body };
}

it('accepts none of 10,000 forged and replayed requests, and each real one once', async () => {
  const harness = await startInboundHarness();
  for (const { name, provider } of kinds) await harness.addRoute(provider, name);
  await harness.addRoute(createPostmark(), 'postmark');
  const { token, session } = await harness.lend('fox');
  const { token: other, session: cat } = await harness.lend('cat');
  let sent = 0;
  let real = 0;
  const refuse = async (name: string, request: ProviderRequest): Promise<void> => {
    sent += 1;
    const { status } = await ask(harness, `/inbound/${name}`, { method: 'POST', ...request });
    if (status !== 400 && status !== 401) throw new Error(`A forged request by ${name} got ${status}.`);
  };
  for (let at = 0; at < forgedEach; at += 1) {
    for (const { name, provider, stranger } of kinds) {
      const mail = mailFor(harness, cat.address);
      if (name !== 'mailgun') await refuse(name, flip(provider.request(mail), at));
      else await refuse(name, stranger.request(mail));
      const old = name === 'ses' ? 121 : name === 'mailgun' ? 541 : name === 'sendgrid' ? 73 * 60 + 1 : 6;
      await refuse(name, provider.request({ ...mail, at: harness.now() - old * minuteMs }));
    }
    if (at % 20 !== 0) continue;
    for (const { name, provider } of kinds) {
      const request = provider.request(mailFor(harness, session.address));
      for (const again of [request, request]) {
        expect((await ask(harness, `/inbound/${name}`, { method: 'POST', ...again })).status).toBe(200);
      }
      real += 1;
      // Below the quota.
      const headers = { authorization: `Bearer ${token}` };
      const { messages } = (await ask(harness, '/check-mail', { headers })).json as {
        messages: { id: number }[];
      };
      expect(messages).toHaveLength(1);
      await ask(harness, `/delete-mail?id=${messages[0]!.id}`, { method: 'POST', headers });
    }
  }
  expect(sent).toBe(10_000);
  expect(await harness.subjectsOf(other)).toEqual([]);
  expect(real).toBe(kinds.length * 50);
});
