// Calls of the service that quickstart has just started, on its socket in the data folder.

import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { dataDir } from '#quickstart/plan-files';
import { sendMail } from '#quickstart/send-mail';
import { StartError } from '../../app/start-error.ts';
import type { OperatorCommand } from '../../operator/command.ts';
import { operatorCommands } from '../../operator/commands.ts';
import { OperatorError } from '../../service/operating/operator-error.ts';
import { callService } from '../call-service.ts';
import type { Given } from '#command-line/command';
import { findExchanges } from './authoritative.ts';

const startMs = 30_000;
const certificateMs = 180_000;
const mailMs = 30_000;
const askEveryMs = 250;

function find(path: string): OperatorCommand {
  const command = operatorCommands.find((one) => one.path === path);
  if (!command) throw new Error(`There is no command ${path}.`);
  return command;
}

/** @throws OperatorError, StartError when no service answers */
export async function call<A>(path: OperatorCommand['path'], given: Given = {}): Promise<A> {
  const answer = await callService(dataDir, find(path), given);
  if (answer) return answer as A;
  throw new StartError('The service does not run: `journalctl -u mayfly` says why');
}

/** Asks until there is a value. @throws StartError after the time */
async function until<T>(ms: number, late: string, ask: () => Promise<T | undefined>): Promise<T> {
  for (const endsAt = performance.now() + ms; performance.now() < endsAt; await delay(askEveryMs)) {
    const value = await ask();
    if (value !== undefined) return value;
  }
  throw new StartError(late);
}

async function isReady(): Promise<boolean> {
  const answer = await callService(dataDir, find('/admin/status'), {}).catch(orClosed);
  return (answer as { ready?: unknown } | undefined)?.ready === true;
}

export function untilReady(): Promise<true> {
  return until(startMs, 'The service does not start: `journalctl -u mayfly` says why', async () =>
    (await isReady()) ? true : undefined,
  );
}

/** The one that ran before closes its socket while it ends. */
function orClosed(error: unknown): undefined {
  if (!(error instanceof OperatorError)) throw error;
}

export async function hasDomain(domain: string): Promise<boolean> {
  if (!(await isReady())) return false;
  const { domains } = await call<{ domains: readonly { domain: string; active: boolean }[] }>(
    '/admin/domains',
  );
  return domains.some((one) => one.domain === domain && one.active);
}

interface CertificateAnswer {
  readonly source: string;
  readonly names: readonly string[];
  readonly renewal: { readonly failure: { readonly at: string; readonly reason: string } | null } | null;
}

/** @throws StartError with the reason of the last failed attempt */
export async function untilCertified(names: readonly string[]): Promise<void> {
  const read = (): Promise<CertificateAnswer> => call('/admin/certificate');
  const isThere = (one: CertificateAnswer): boolean =>
    one.source === 'acme' && names.every((name) => one.names.includes(name));
  const first = await read();
  if (isThere(first)) return;
  // An attempt that failed before, as without records, would be repeated only after a while.
  const before = first.renewal?.failure ?? null;
  if (before) await call('/admin/renew-certificate');
  const reason = { text: 'no answer of the certificate authority' };
  await until(certificateMs, 'There is no certificate: `mayfly certificate show` says why', async () => {
    const now = await read();
    const failure = now.renewal?.failure ?? null;
    if (failure && failure.at !== before?.at) reason.text = failure.reason;
    return isThere(now) ? true : undefined;
  }).catch((error: unknown) => {
    throw new StartError(`There is no certificate: ${reason.text}`, { cause: error });
  });
}

/** Sends a code through the public MX and reads it. @throws StartError, SendFailed, OperatorError */
export async function mailItself({ domain, host }: { domain: string; host: string }): Promise<void> {
  const { address } = await call<{ address: string }>('/admin/begin-probe', { name: domain });
  const [exchange] = await findExchanges(domain);
  if (exchange === undefined) throw new StartError(`MX of ${domain} leads to no address`);
  const code = String(randomInt(100_000, 1_000_000));
  const header = `From: quickstart@${domain}\r\nTo: ${address}\r\nSubject: Your verification code\r\n`;
  const field = `Date: ${new Date().toUTCString().replace('GMT', '+0000')}\r\nMessage-ID: <${code}@${host}>\r\n`;
  const message = `${header}${field}\r\nYour verification code is ${code}.\r\n`;
  await sendMail({ address: exchange, name: host, to: address, message });
  await until(mailMs, 'The mail was taken, and its code was not read', async () => {
    const { mail } = await call<{ mail: { code: string | null } | null }>('/admin/read-probe', { address });
    return mail?.code === code ? true : undefined;
  });
}

interface KeyAnswer {
  readonly keys: readonly { readonly admin: boolean; readonly revoked_at: string | null }[];
}

/** Returns the link; undefined when an administrator has a key already. */
export async function linkFirstAdministrator(): Promise<string | undefined> {
  const { keys } = await call<KeyAnswer>('/admin/keys');
  if (keys.some(({ admin, revoked_at: revokedAt }) => admin && revokedAt === null)) return undefined;
  return (await call<{ url: string }>('/admin/make-link')).url;
}
