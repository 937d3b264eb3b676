import { tmpdir } from 'node:os';

import { describe, expect, it } from 'vitest';

import { ScratchFile } from '#mail-receiver/scratch-file';
import { MessageBuffer } from '#mail-receiver/message-buffer';
import { replies } from '#mail-receiver/reply';
import { createRefusingReceiver } from '../../test/support/smtp/refusing-receiver.ts';
import type { IncomingMessage } from '../domain/message.ts';
import { RefusedWriteError } from '../domain/refused-write.ts';
import type { Session } from '../domain/session.ts';
import { createMetrics } from '../observe/metrics.ts';
import { readStatisticsTotals } from '../observe/statistics-totals.ts';
import type { ReceiveResult } from '../service/receiving/receive-message.ts';
import type { Resolution } from '../service/receiving/resolve-recipient.ts';
import { Admission } from '#smtp-listener/admission';
import { type AnswersParts, ConnectionAnswers } from './connection-answers.ts';
import { SmtpCounts } from './smtp-counts.ts';

interface World {
  readonly resolution?: Resolution | Error;
  readonly result?: ReceiveResult | Error;
  readonly inFlightMaxBytes?: number;
}

function answersIn({ resolution = { outcome: 'unknown' }, result, inFlightMaxBytes = Infinity }: World = {}) {
  const received: IncomingMessage[] = [];
  const noted: string[] = [];
  const errors: string[] = [];
  const metrics = createMetrics();
  const give = <T>(value: T | Error): Promise<T> =>
    value instanceof Error ? Promise.reject(value) : Promise.resolve(value);
  const settings = {
    connectionsMax: Infinity,
    connectionsPerAddressMax: Infinity,
    connectsPerMinute: Infinity,
    messagesPerMinute: 1,
    inFlightMaxBytes,
  };
  const ignore = (): void => undefined;
  const vitals = { isOverloaded: () => false, isDiskLow: () => false };
  const admission = new Admission({ makeRoom: () => false, settings, vitals });
  const parts: AnswersParts = {
    admission,
    receiver: createRefusingReceiver({
      resolveRecipient: () => give(resolution),
      receiveMessage: (message) => {
        received.push(message);
        return give(result ?? { outcome: 'stored', ingestId: 'id', ended: 0 });
      },
      recordRefusal: (_recipients, { reply }) => void noted.push(reply),
    }),
    spill: { afterBytes: 65_536, open: () => new ScratchFile(tmpdir()) },
    log: { debug: ignore, info: ignore, warn: ignore, error: (event) => void errors.push(event) },
    sampledLog: { info: ignore, warn: (event) => void errors.push(event) },
    counts: new SmtpCounts(metrics),
  };
  const network = '192.0.2.7';
  const place = admission.placeOf(network);
  const answers = new ConnectionAnswers(parts, {
    id: '1',
    remoteAddress: network,
    network,
    isLocal: false,
    place,
  });
  return { answers, received, noted, errors, metrics };
}

const message = {
  mailFrom: 'a@b.test',
  rcptTo: ['one@us.test'],
  recipients: [],
  raw: new MessageBuffer(),
  helo: 'client.test',
  isExtended: true,
  isUtf8: false,
};
const recipientStep = {
  kind: 'recipient' as const,
  address: { localPart: 'one', domain: 'us.test' },
  mail: { mailFrom: 'a@b.test', sizeBytes: undefined, isUtf8: false },
};
const session = {} as Session;

it('counts a message refused at MAIL as one, and a recipient that is no address, once each', () => {
  const { answers, metrics } = answersIn();
  const early = [
    { stage: 'mail', reply: replies.tooBig },
    { stage: 'mail', reply: replies.blockedSender },
    { stage: 'mail', reply: replies.nestedMail },
    { stage: 'rcpt', reply: replies.badRecipient },
    { stage: 'rcpt', reply: replies.relayDenied },
    { stage: 'rcpt', reply: replies.mailFirst },
    { stage: 'helo', reply: replies.badArguments },
  ];
  // The engine's own record is a class with private fields.
  const noted = { helo: 'client.test', take: () => early };
  answers.follow(noted as unknown as Parameters<typeof answers.follow>[0]);
  expect(readStatisticsTotals(metrics)).toMatchObject({
    'refused too_big': 1,
    'refused blocked_sender': 1,
    'refused recipient_invalid': 1,
    'refused recipient_foreign': 1,
  });
  expect(Object.keys(readStatisticsTotals(metrics)).filter((name) => /^(?:ref|def)/.test(name))).toHaveLength(
    4,
  );
});

describe('a recipient', () => {
  it.each<[Resolution | Error, unknown]>([
    [{ outcome: 'accepted', recipient: 'operator' }, { recipient: 'operator' }],
    [{ outcome: 'unknown' }, { refusal: replies.unknownRecipient }],
    [{ outcome: 'foreign' }, { refusal: replies.relayDenied }],
    [{ outcome: 'full', recipient: session }, { refusal: replies.recipientFull }],
    [new Error('down'), { refusal: replies.localError }],
  ])('%j is answered', async (resolution, answer) => {
    expect(await answersIn({ resolution }).answers.resolve(recipientStep, null)).toEqual(answer);
  });
});

describe('a message', () => {
  it.each<[string, ReceiveResult | Error, string]>([
    ['stored', { outcome: 'stored', ingestId: 'id', ended: 0 }, '250 2.0.0 OK id\r\n'],
    ['full', { outcome: 'full', ingestId: 'id', ended: 0 }, replies.recipientFull],
    ['ended', { outcome: 'ended', ingestId: 'id', ended: 0 }, replies.unknownRecipient],
    ['looping', { outcome: 'looping', ingestId: 'id', ended: 0 }, replies.loop],
    ['forged', { outcome: 'forged', ingestId: 'id', ended: 0 }, replies.dmarcRefused],
    ['failed', new Error('down'), replies.localError],
    ['failed for want of disk', Object.assign(new Error(''), { code: 'SQLITE_FULL' }), replies.storageFull],
    ...['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'SQLITE_READONLY', 'SQLITE_IOERR_WRITE'].map(
      (code): [string, Error, string] => [
        `failed with ${code}`,
        new RefusedWriteError(Object.assign(new Error(''), { code })),
        replies.storageFull,
      ],
    ),
  ])('that is %s is answered', async (_, result, reply) => {
    const { answers, errors } = answersIn({ result });
    expect(await answers.store(message, null)).toBe(reply);
    expect(errors).toHaveLength(result instanceof Error ? 1 : 0);
  });

  // RFC 3848, RFC 6531 §4.3.
  it.each([
    { isExtended: false, isUtf8: false, tls: null, protocol: 'SMTP' },
    { isExtended: true, isUtf8: false, tls: null, protocol: 'ESMTP' },
    { isExtended: true, isUtf8: true, tls: null, protocol: 'UTF8SMTP' },
    { isExtended: true, isUtf8: false, tls: 'TLSv1.3 X', protocol: 'ESMTPS' },
    { isExtended: true, isUtf8: true, tls: 'TLSv1.3 X', protocol: 'UTF8SMTPS' },
  ])('$protocol is what it came by', async ({ isExtended, isUtf8, tls, protocol }) => {
    const { answers, received } = answersIn();
    await answers.store({ ...message, isExtended, isUtf8 }, tls);
    expect(received[0]?.source).toEqual({
      protocol,
      tls,
      remoteAddress: '192.0.2.7',
      helo: 'client.test',
      connection: '1',
    });
  });
});

describe('the delivery log', () => {
  it('records a session that is full at RCPT', async () => {
    const { answers, noted } = answersIn({ resolution: { outcome: 'full', recipient: session } });
    await answers.resolve(recipientStep, null);
    expect(noted).toEqual([replies.recipientFull.trimEnd()]);
  });
});

describe('room', () => {
  it('is taken by bytes that come, not by those that were declared, and given back once', () => {
    const { answers } = answersIn({ inFlightMaxBytes: 100_000 });
    for (let count = 0; count < 100; count++) expect(answers.admitBody(100_000)).toHaveProperty('body');
    const { body } = answers.admitBody(0) as { body: MessageBuffer };
    body.append(Buffer.alloc(90_000));
    expect(body.failure).toBeUndefined();
    expect(answers.admitBody(50_000)).toEqual({ refusal: replies.storageFull });
    body.release();
    body.release();
    answers.release();
    expect(answers.admitBody(100_000)).toHaveProperty('body');
  });

  it('for a transaction goes by the rate of the network', () => {
    const { answers } = answersIn();
    expect(answers.admitTransaction(null)).toBeUndefined();
    expect(answers.admitTransaction(null)).toEqual({ refusal: replies.slowDown });
  });
});
