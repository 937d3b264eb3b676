// Requests whose fields and members come in another order than providers send them today: neither forms nor JSON have
// one.

import { randomUUID } from 'node:crypto';

import { expect, it } from 'vitest';

import {
  createMailgun,
  createPostmark,
  createSendgrid,
  createSes,
  getSnsKeys,
  type GivenMail,
  type ProviderRequest,
  routeName,
  signSns,
  type TestProvider,
  toNotification,
} from '../../../test/support/inbound/provider-requests.ts';
import { createIntake } from './create-intake.ts';
import type { InboundMail } from './intake.ts';

const at = Date.parse('2026-03-01T12:00:00Z');
const raw = Buffer.from('From: a@example.org\r\nSubject: ünï\r\n\r\none\r\n--x\r\ntwo\r\n');
const mail: GivenMail = {
  from: 'a@example.org',
  to: ['fox@mayfly.test'],
  raw,
  at,
  id: randomUUID(),
};

async function read(
  provider: TestProvider,
  { headers, body }: ProviderRequest,
): Promise<{ readonly taken: InboundMail; readonly raw: string }> {
  const pieces: Buffer[] = [];
  const intake = createIntake(routeName, provider.secret, {
    headers,
    now: at,
    fetchCertificate: provider.fetchCertificate,
    take: (piece) => pieces.push(Buffer.from(piece)),
  });
  for (let from = 0; from < body.length; from += 100) intake.push(body.subarray(from, from + 100));
  const taken = await intake.end();
  if (taken.kind !== 'mail') throw new Error('No mail.');
  return { taken, raw: Buffer.concat(pieces).toString() };
}

/** All members in reverse, at every depth. */
function reverse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverse);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, one]): [string, unknown] => [name, reverse(one)]);
  return Object.fromEntries(members.reverse());
}

function reverseJson(body: Buffer): Buffer {
  return Buffer.from(JSON.stringify(reverse(JSON.parse(body.toString()))));
}

/** @param more parts besides, before the others */
function reverseParts(body: Buffer, ...more: readonly string[]): Buffer {
  const text = body.toString('latin1');
  const boundary = text.slice(0, text.indexOf('\r\n'));
  const parts = text.split(`${boundary}\r\n`).slice(1);
  const last = parts.length - 1;
  parts[last] = (parts[last] ?? '').replace(`${boundary}--\r\n`, '');
  const all = [...more, ...parts.reverse()].map((part) => `${boundary}\r\n${part}`);
  return Buffer.from(`${all.join('')}${boundary}--\r\n`, 'latin1');
}

const forms: readonly TestProvider[] = [createMailgun(), createSendgrid('password')];

it.each(forms)('takes a form of $name in any order', async (provider) => {
  const { headers, body } = provider.request(mail);
  const { taken, raw: bytes } = await read(provider, { headers, body: reverseParts(body) });
  expect(taken).toMatchObject({ mailFrom: mail.from, rcptTo: mail.to });
  expect(bytes).toBe(raw.toString());
});

it.each(forms)('finds no field of $name in the name of a file', async (provider) => {
  const { headers, body } = provider.request(mail);
  const evil = ['email', 'body-mime', 'envelope', 'recipient'].flatMap((name) => [
    `Content-Disposition: form-data; filename="a; name=${name}"; name="attachment1"\r\n\r\nx\r\n`,
    `Content-Disposition: form-data; filename="a\\"; name=\\"${name}"; name=attachment2\r\n\r\nx\r\n`,
  ]);
  const { taken, raw: bytes } = await read(provider, { headers, body: reverseParts(body, ...evil) });
  expect(taken.rcptTo).toEqual(mail.to);
  expect(bytes).toBe(raw.toString());
});

it('takes a form in one line in any order', async () => {
  const provider = createMailgun('urlencoded');
  const { headers, body } = provider.request(mail);
  const turned = Buffer.from(body.toString().split('&').reverse().join('&'));
  expect((await read(provider, { headers, body: turned })).raw).toBe(raw.toString());
});

it('takes the sender from the topmost Return-Path of Postmark, whatever the order of members', async () => {
  const provider = createPostmark();
  const { headers, body } = provider.request({ ...mail, from: 'bounce@example.org' });
  const value = JSON.parse(body.toString()) as { Headers: object[] };
  value.Headers.unshift({ Name: 'X-Long', Value: 'x'.repeat(5000) }, { Name: 'X-None', Value: null });
  for (const sent of [value, reverse(value)]) {
    const request = { headers, body: Buffer.from(JSON.stringify(sent)) };
    const { taken, raw: bytes } = await read(provider, request);
    expect(taken.mailFrom).toBe('bounce@example.org');
    expect(bytes).toBe(raw.toString());
  }
});

it.each(['BASE64', 'UTF-8'] as const)('takes a notification of SES in %s in any order', async (encoding) => {
  const provider = createSes(encoding);
  const members = toNotification(mail, encoding, '2');
  const Message = reverseJson(Buffer.from(members['Message'] ?? '')).toString();
  const { headers, body } = signSns({ ...members, Message }, getSnsKeys().privateKey);
  const { taken, raw: bytes } = await read(provider, { headers, body: reverseJson(body) });
  expect(taken).toMatchObject({ mailFrom: mail.from, rcptTo: mail.to, id: mail.id });
  expect(bytes).toBe(raw.toString());
});
