// A Gmail account polled over a real store, HTTP listener and IMAP server of the test: the fixture of
// test/integration/gmail-*.test.ts. Intervals are short, so that the minutes they take in service do not pass here.

import { onTestFinished } from 'vitest';

import type { MailCredentials } from '#imap-reader/credentials';
import { createGmailPollers, type GmailPollers } from '../../../src/gmail/create-gmail-pollers.ts';
import type {
  GmailPollersOptions,
  GmailPollerSettings,
  GmailTimes,
} from '../../../src/gmail/gmail-pollers-options.ts';
import type { ReceivingParts } from '../../../src/service/services.ts';
import type { GmailAccount, GmailAccountSettings } from '../../../src/store/gmail-store.ts';
import { createKeptLeases } from '../service/kept-leases.ts';
import { type Harness, postJson, startHttp } from '../../integration/http-harness.ts';
import { imapPassword } from './imap-password.ts';
import { eventually } from '../eventually.ts';

const quickTimes: GmailTimes = {
  listMs: 50,
  leaseMs: 2000,
  watchdogMs: 2000,
  noIdleMs: 100,
  exchangeMs: 5000,
  backoffMinMs: 20,
  backoffMaxMs: 100,
  throttledMs: 200,
  cleanupMs: 100,
};

export interface PolledOptions {
  readonly port: number;
  readonly email?: string;
  readonly account?: Partial<GmailAccountSettings>;
  readonly credentials?: MailCredentials;
  readonly settings?: Partial<GmailPollerSettings>;
  readonly times?: Partial<GmailTimes>;
  readonly deps?: Partial<Omit<ReceivingParts, 'refusedRecipients'>>;
  readonly parts?: Partial<GmailPollersOptions>;
}

export interface Polled {
  readonly harness: Harness;
  readonly pollers: GmailPollers;
  readonly parts: GmailPollersOptions;
  /** Returns its current state in the store. */
  account(): Promise<GmailAccount>;
  untilHealth(health: GmailAccount['health']): Promise<GmailAccount>;
  lend(parameters?: object): Promise<{ email: string; token: string }>;
  subjects(token: string): Promise<string[]>;
  /** Resolves with the subjects when there are this many. */
  untilMessages(token: string, count: number): Promise<string[]>;
}

export async function startPolled(options: PolledOptions): Promise<Polled> {
  const harness = await startHttp({ wrapDeps: (deps) => ({ ...deps, ...options.deps }) });
  const { gmail } = harness.store;
  const { email = 'quiet.fox@gmail.com', port } = options;
  await gmail.addAccount({
    email,
    host: '127.0.0.1',
    port,
    security: 'none',
    user: email,
    auth: 'password',
    sealedCredentials: Buffer.alloc(0),
    inboxFolder: null,
    spamFolder: null,
    ...options.account,
  });
  const parts = toParts(harness, options);
  const pollers = createGmailPollers(parts);
  onTestFinished(() => pollers.close());
  const account = async (): Promise<GmailAccount> => {
    const found = (await gmail.listAccounts()).find((one) => one.email === email);
    if (!found) throw new Error('The account is gone.');
    return found;
  };
  const subjects = (token: string): Promise<string[]> => listSubjects(harness, token);
  return {
    harness,
    pollers,
    parts,
    account,
    subjects,
    untilHealth: (health) =>
      eventually(async () => {
        const now = await account();
        return now.health === health ? now : undefined;
      }, `the account is ${health}`),
    lend: async (parameters = {}) => {
      const { status, json } = await postJson(harness, '/create-session', { use_gmail: 1, ...parameters });
      if (status !== 200) throw new Error(JSON.stringify(json));
      return json as { email: string; token: string };
    },
    untilMessages: (token, count) =>
      eventually(async () => {
        const now = await subjects(token);
        return now.length >= count ? now : undefined;
      }, `${count} messages are there`),
  };
}

function toParts(harness: Harness, options: Omit<PolledOptions, 'port'>): GmailPollersOptions {
  return {
    store: harness.store.gmail,
    now: Date.now,
    leases: createKeptLeases(() => harness.now()),
    holder: 'node-1',
    traces: undefined,
    certificateAuthorities: undefined,
    openCredentials: () => options.credentials ?? { kind: 'password', password: imapPassword },
    receiver: harness.receiving,
    fetch: () => Promise.reject(new Error('No test asks anybody but its own token server.')),
    settings: {
      spamCheckMs: 100,
      messageMaxBytes: 36 * 1024 * 1024,
      dayMaxBytes: 0,
      afterDelivery: 'trash',
      ...options.settings,
    },
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    times: { ...quickTimes, ...options.times },
    ...options.parts,
  };
}

async function listSubjects(harness: Harness, token: string): Promise<string[]> {
  const response = await fetch(`${harness.origin}/check-mail`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const answer = (await response.json()) as { messages?: { subject: string }[] };
  if (!answer.messages) throw new Error(JSON.stringify(answer));
  return answer.messages.map(({ subject }) => subject).reverse();
}

/** Returns a message as Gmail stores it, with the fields its servers add. */
export function arrivedMail(to: string, subject: string, body = 'Your code is 123456.'): Buffer {
  return Buffer.from(
    [
      `Delivered-To: ${to}`,
      'Received: by 2002:a05:6000:1a88:b0:0:0:0:0 with SMTP id f8csp1; Sat, 21 Nov 2026 02:00:00 -0800 (PST)',
      'Return-Path: <bounce@shop.example>',
      'Received: from mail.shop.example (mail.shop.example. [192.0.2.7])',
      `        by mx.google.com with ESMTPS id a1si2 for <${to}>`,
      '        (version=TLS1_3 cipher=TLS_AES_256_GCM_SHA384 bits=256/256);',
      '        Sat, 21 Nov 2026 02:00:00 -0800 (PST)',
      `Message-ID: <${subject.replace(/\W+/g, '-')}@shop.example>`,
      'From: Shop <no-reply@shop.example>',
      `To: <${to}>`,
      `Subject: ${subject}`,
      '',
      body,
      '',
    ].join('\r\n'),
  );
}
