// Delivery events of the senders, as the built service signs and posts them, with what receivers need to verify them;
// and the same with a part changed, which a receiver must refuse.

import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

import { expect, onTestFinished } from 'vitest';

import { createSelfSigned } from '#certificates/self-signed';
import { startSink } from '../servers/webhook-sink.ts';
import { createDataFolder, startMayfly } from '../service/mayfly-process.ts';

interface SignedEvent {
  readonly service: string;
  /** Which part is changed; undefined for an event as it came. */
  readonly changed: 'body' | 'time' | 'signature' | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface EventTrial {
  readonly secret: string;
  /** As SendGrid's interface answers it. */
  readonly publicKey: string;
  /** Genuine and changed ones. */
  readonly events: readonly SignedEvent[];
}

const address = 'a@x.example';
const services = ['resend', 'sendgrid', 'mailgun', 'ses'];

/** Runs a program with a file of the trial; it prints which packages accept each event, by its place. */
export async function expectVerified(run: (file: string) => Promise<string>): Promise<void> {
  const trial = await collectSignedEvents();
  const folder = await createDataFolder();
  onTestFinished(folder.remove);
  const file = path.join(folder.path, 'trial.json');
  await writeFile(file, JSON.stringify(trial));
  const verdicts = JSON.parse(await run(file)) as readonly (readonly [name: string, accepts: boolean][])[];
  expect(verdicts.map((one, at) => [nameOf(trial, at), one])).toEqual(
    verdicts.map((one, at) => [
      nameOf(trial, at),
      one.map(([name]) => [name, trial.events[at]?.changed === undefined]),
    ]),
  );
  expect(verdicts.filter((one) => one.length > 0).length).toBeGreaterThanOrEqual(6);
}

function nameOf({ events }: EventTrial, at: number): string {
  return `${events[at]?.service ?? ''}, ${events[at]?.changed ?? 'as it came'}`;
}

/** Sends a mail by each service that signs. Of its events, the first is taken. */
async function collectSignedEvents(): Promise<EventTrial> {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const sink = await startSink();
  const targets = services.map((name) => `${name}=http://127.0.0.1:${sink.port}/${name}`).join(',');
  const data = await createDataFolder();
  onTestFinished(data.remove);
  const settings = {
    MAYFLY_COMPAT_PORT: '0',
    MAYFLY_WEBHOOKS_SECRET: secret,
    MAYFLY_COMPAT_SENDER_EVENTS: targets,
  };
  const mayfly = await startMayfly(data.path, settings);
  onTestFinished(async () => void (await mayfly.stop()));
  const origin = mayfly.compatOrigin ?? '';
  const { token } = await mayfly.lend({ capture: '1' });
  const secure = await startSecureProxy(origin);

  const post = async (to: string, headers: Readonly<Record<string, string>>, body: object): Promise<void> => {
    const json = { 'content-type': 'application/json' };
    const isForm = body instanceof URLSearchParams;
    const answer = await fetch(origin + to, {
      method: 'POST',
      headers: { ...(isForm ? {} : json), ...headers },
      body: isForm ? body : JSON.stringify(body),
    });
    expect([to, answer.ok]).toEqual([to, true]);
  };
  const bearer = (prefix: string) => ({ authorization: `Bearer ${prefix}${token}` });
  await post('/emails', bearer('re_'), { from: address, to: address, subject: 'x', text: 'x' });
  await post('/v3/mail/send', bearer('SG.'), {
    personalizations: [{ to: [{ email: address }] }],
    from: { email: address },
    subject: 'x',
    content: [{ type: 'text/plain', value: 'x' }],
  });
  const form = new URLSearchParams({ from: address, to: address, text: 'x' });
  await post('/v3/x.example/messages', { authorization: `Basic ${btoa(`api:${token}`)}` }, form);
  // Through a proxy that speaks TLS, since receivers fetch the certificate by https only.
  const aws = { authorization: `AWS4-HMAC-SHA256 Credential=${token}/a/b/ses/aws4_request` };
  await secure.post('/v2/email/outbound-emails', aws, {
    FromEmailAddress: address,
    Destination: { ToAddresses: [address] },
    Content: { Simple: { Subject: { Data: 'x' }, Body: { Text: { Data: 'x' } } } },
  });
  await expect.poll(() => new Set(sink.received.map(({ path }) => path)).size).toBe(services.length);
  const events = services.flatMap((service) => {
    const received = sink.received.find(({ path }) => path === `/${service}`);
    return received
      ? variantsOf({ service, changed: undefined, headers: received.headers, body: received.body })
      : [];
  });
  const key = await fetch(`${origin}/sendgrid/v3/user/webhooks/event/settings/signed`, {
    headers: bearer('SG.'),
  });
  const { public_key: publicKey } = (await key.json()) as { public_key: string };
  return { secret, publicKey, events };
}

function variantsOf(event: SignedEvent): readonly SignedEvent[] {
  const { service, headers, body } = event;
  const other = (text: string): string =>
    text.replace(/^(.{12})(.)/s, (_, head: string, one: string) => head + (one === 'a' ? 'b' : 'a'));
  const later = (text: string): string =>
    text.replace(/(\d)(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));
  const inHeader = (part: RegExp, change: (text: string) => string) => ({
    headers: Object.fromEntries(
      Object.entries(headers).map(
        ([name, value]) => [name, part.test(name) ? change(value) : value] as const,
      ),
    ),
  });
  const inBody = (part: string, change: (text: string) => string) => ({
    body: body.replace(
      new RegExp(`("${part}":")([^"]+)`),
      (_, head: string, value: string) => head + change(value),
    ),
  });
  const isInBody = service === 'mailgun' || service === 'ses';
  const [time, signature] = service === 'ses' ? ['Timestamp', 'Signature'] : ['timestamp', 'signature'];
  const changes: readonly SignedEvent[] = [
    { ...event, changed: 'time', ...(isInBody ? inBody(time, later) : inHeader(/timestamp$/, later)) },
    {
      ...event,
      changed: 'signature',
      ...(isInBody ? inBody(signature, other) : inHeader(/signature$/, other)),
    },
    { ...event, changed: 'body', body: body.replace(address, 'e@x.example') },
  ];
  for (const one of changes) expect([one.headers, one.body]).not.toEqual([headers, body]);
  // Mailgun signs the time and a token alone.
  return [event, ...changes.filter(({ changed }) => !(service === 'mailgun' && changed === 'body'))];
}

/** The listener behind TLS with a certificate of its own. */
async function startSecureProxy(target: string) {
  const from = new Date(Date.now() - 60_000);
  const until = new Date(Date.now() + 3_600_000);
  const { certificatePem: cert, keyPem: key } = createSelfSigned({ hostname: '127.0.0.1', from, until });
  const server = createServer({ cert, key }, (asked, response) => {
    void fetch(target + String(asked.url)).then(async (answer) => {
      response.end(await answer.text());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    /** As such a proxy would pass the call on. */
    post: async (to: string, headers: Readonly<Record<string, string>>, body: object): Promise<void> => {
      const status = await new Promise<number>((resolve, reject) => {
        const call = request(
          target + to,
          {
            method: 'POST',
            headers: { host, 'x-forwarded-proto': 'https', 'content-type': 'application/json', ...headers },
          },
          (answer) => {
            answer.resume().on('end', () => {
              resolve(answer.statusCode ?? 0);
            });
          },
        );
        call.on('error', reject).end(JSON.stringify(body));
      });
      expect([to, status]).toEqual([to, 200]);
    },
  };
}
