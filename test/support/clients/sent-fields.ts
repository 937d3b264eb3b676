// Sends a call for each documented field through a published client, and says what became of each: kept in the mail,
// refused, not sent by the client at all, or dropped.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';

import type { DocumentedCall, DocumentedField } from './documented-fields.ts';
import { runJavaScriptClient } from './published-clients.ts';
import type { SenderService, SentMail } from './sender-service.ts';

export type Call = Readonly<Record<string, unknown>>;

export interface FieldSpec extends DocumentedCall {
  readonly name: string;
  /** A module that calls `run` with a function that sends a call; it has `origin` and `token`. */
  readonly program: string;
  readonly env?: (origin: string, token: string) => NodeJS.ProcessEnv;
  /** A call that is accepted, to which the field is added. */
  readonly base: (field: string) => Call;
  /** Other members of the object that a field is in, by its path. */
  readonly around?: Readonly<Record<string, unknown>>;
  /** Values of fields that take no text, or only some. The first that fits counts. */
  readonly values?: readonly (readonly [field: RegExp, value: (mark: string) => unknown])[];
  /** Fields that are none of the call's, such as options of the client. */
  readonly ignored?: RegExp;
  /** Refused on purpose. */
  readonly refused?: readonly string[];
  /** Documented by the client, which does not send them. */
  readonly unsent?: readonly string[];
  /** Accepted and not shown, on purpose. */
  readonly dropped?: readonly string[];
}

export type Fate = 'kept' | 'refused' | 'unsent' | 'dropped';

const prelude = `
import { readFileSync } from 'node:fs';
const [origin, token, file] = process.argv.slice(2);
const revive = (_, value) => (value?.$bytes === undefined ? value : Buffer.from(value.$bytes));
async function run(send) {
  const results = [];
  for (const call of JSON.parse(readFileSync(file, 'utf8'), revive)) {
    try {
      await send(call);
      results.push('');
    } catch (error) {
      results.push(String(error.message) || 'no reason');
    }
  }
  console.log(JSON.stringify(results));
}
`;

interface Prepared {
  readonly field: DocumentedField;
  readonly mark: string;
  /** Whether the value has the mark. */
  readonly isMarked: boolean;
  readonly call: Call;
  readonly without: Call;
}

/** Returns fates by field; a refusal's reason is part of it. */
export async function sendEachField(
  spec: FieldSpec,
  fields: readonly DocumentedField[],
  service: SenderService,
): Promise<ReadonlyMap<string, { readonly fate: Fate; readonly reason: string }>> {
  const prepared = fields
    .filter(({ path: name }) => !spec.ignored?.test(name))
    .map((field, at) => prepare(spec, field, at));
  const bases = new Map(prepared.map(({ without }) => [JSON.stringify(without), without] as const));
  const calls = [...bases.values(), ...prepared.map(({ call }) => call)];
  const { results, bodies, mails } = await sendAll(spec, calls, service);
  const baseMails = new Map([...bases.keys()].map((key, at) => [key, mails[at]] as const));
  for (const [at, key] of [...bases.keys()].entries()) {
    if (results[at] !== '') throw new Error(`${key} was refused: ${results[at] ?? ''}`);
  }
  const fates = prepared.map(({ field, mark, isMarked, without }, nth) => {
    const at = bases.size + nth;
    const [reason = '', mail, body = ''] = [results[at], mails[at], bodies[at]];
    const base = baseMails.get(JSON.stringify(without));
    const isKept = mail !== undefined && (isMarked ? mail.includes(mark) : mail !== base);
    const isSent = isMarked
      ? body.includes(mark)
      : body !== bodies[[...bases.keys()].indexOf(JSON.stringify(without))];
    const fate: Fate = reason !== '' ? 'refused' : isKept ? 'kept' : isSent ? 'dropped' : 'unsent';
    const name =
      field.kind === 'literal' ? `${field.path}=${String(field.value)}` : `${field.path}: ${field.kind}`;
    return [name, { fate, reason }] as const;
  });
  return new Map(fates);
}

function prepare(spec: FieldSpec, field: DocumentedField, at: number): Prepared {
  const steps = field.path.split('.');
  const mark = field.kind === 'number' ? String(7_000_000 + at) : `mark${at}q`;
  const value = valueOf(spec, field, mark);
  const isMarked = JSON.stringify(value) !== JSON.stringify(valueOf(spec, field, '1'));
  let without: Call = structuredClone(spec.base(field.path));
  for (let length = 1; length < steps.length; length += 1) {
    const around = spec.around?.[steps.slice(0, length).join('.')];
    if (around !== undefined) without = withValue(without, steps.slice(0, length), around);
  }
  return { field, mark, isMarked, without, call: withValue(without, steps, value) };
}

function valueOf(
  { values = [] }: FieldSpec,
  { path: name, kind, value }: DocumentedField,
  mark: string,
): unknown {
  if (kind === 'literal') return value;
  if (kind === 'boolean') return true;
  const own = values.find(([field]) => field.test(name));
  if (own) return own[1](mark);
  if (kind === 'number') return Number(mark);
  if (kind === 'bytes') return { $bytes: mark };
  return /(?:^|\.)(?:to|cc|bcc|from|email|reply_?to|source|\w*Address(?:es)?)(?:\.0)?$/i.test(name)
    ? `${mark}@x.example`
    : mark;
}

function withValue(call: Call, [step = '', ...rest]: readonly string[], value: unknown): Call {
  const isList = step === '0';
  const inner = call[step];
  const isObject = typeof inner === 'object' && inner !== null;
  const next =
    rest.length === 0
      ? structuredClone(value)
      : withValue((isObject && Array.isArray(inner) === (rest[0] === '0') ? inner : {}) as Call, rest, value);
  if (!isList) return { ...call, [step]: next };
  const list = Array.isArray(call) ? ([...call] as unknown[]) : [];
  list[0] = next;
  return list as unknown as Call;
}

async function sendAll(spec: FieldSpec, calls: readonly Call[], service: SenderService) {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-fields-'));
  const recorder = await startRecorder(service.origin);
  try {
    const file = path.join(folder, 'calls.json');
    await writeFile(file, JSON.stringify(calls));
    const { token, mails } = await service.openInbox();
    const given = [recorder.origin, token, file];
    const output = await runJavaScriptClient(
      prelude + spec.program,
      given,
      spec.env?.(recorder.origin, token),
    );
    const results = JSON.parse(output) as string[];
    const stored = await mails();
    const sent = results.filter((reason) => reason === '').length;
    if (stored.length !== sent) {
      throw new Error(`${sent} calls were accepted, and ${stored.length} mails stored.`);
    }
    const iterator = stored[Symbol.iterator]();
    const texts: (string | undefined)[] = [];
    for (const reason of results) {
      const next = reason === '' ? iterator.next().value : undefined;
      texts.push(next && evidence(next, await service.rawOf(token, next.id)));
    }
    return { results, mails: texts, bodies: recorder.bodies() };
  } finally {
    await recorder.close();
    await rm(folder, { recursive: true });
  }
}

/** The text of a mail, without parts that differ between two mails of the same call. */
function evidence(mail: SentMail, raw: string): string {
  const headers = mail.headers.filter(
    ({ name }) => !/^(?:date|message-id|received|x-\w+-message-id)$/i.test(name),
  );
  const files = raw.replace(/^(?:[A-Za-z0-9+/]{2,76}={0,2}\r\n)+/gm, (text) =>
    Buffer.from(text, 'base64').toString(),
  );
  const body = files.slice(files.indexOf('\r\n\r\n'));
  const text =
    JSON.stringify([headers, mail.text, mail.html, mail.attachments, mail.envelope, mail.reply_to]) + body;
  return text.replace(/mayfly-[0-9a-f-]{36}/g, 'boundary');
}

/** Passes requests on and keeps their bodies. */
async function startRecorder(target: string) {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void pass();
    async function pass(): Promise<void> {
      const body = await buffer(request);
      bodies.push(readable(body));
      const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
      const answer = await fetch(target + String(request.url), {
        method: String(request.method),
        headers: headers as Record<string, string>,
        body: new Uint8Array(body),
      });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(Buffer.from(await answer.arrayBuffer()));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies: () => bodies,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** A body as text, with base64 and percent signs undone and boundaries taken out. */
function readable(body: Buffer): string {
  const text = body.toString().replace(/-{20,}[\w-]+/g, '');
  const plain = /^[\w.%+-]+=/.test(text) ? decodeURIComponent(text.replaceAll('+', ' ')) : text;
  const decoded = (plain.match(/[A-Za-z0-9+/]{8,}={0,2}/g) ?? []).map((one) =>
    Buffer.from(one, 'base64').toString(),
  );
  return `${plain}\n${decoded.join('\n')}`;
}
