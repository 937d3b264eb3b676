// The texts that `mayfly dev` prints: its addresses and the variables for a test's environment when it is ready, and
// after a test the mail that nothing read.

import type { InboxCount } from '../app/list-unread.ts';
import { formatHost } from './format-host.ts';
import type { WorkerLogin } from './worker-login.ts';

interface ListeningAt {
  readonly host: string;
  readonly port: number;
}

export interface WorkerInbox extends WorkerLogin {
  readonly token: string;
}

export interface DevText {
  readonly http: ListeningAt;
  readonly smtp: ListeningAt;
  /** The operator's listener; undefined when it is off. */
  readonly admin: ListeningAt | undefined;
  /** Path of Mayfly's own interface and page. */
  readonly basePath: string;
  /** The inbox of a worker, to which the variables lead in place of the shared one. */
  readonly worker?: WorkerInbox | undefined;
  readonly dataDir: string;
  readonly isKept: boolean;
}

/** Begins with `ready` and the addresses, like the service's own text, for programs that wait for it. */
export function describeDev(text: DevText): string {
  const { http, smtp, admin, basePath, dataDir, isKept } = text;
  const origin = `http://${formatHost(http.host)}:${http.port}`;
  const own = `${toReach(http)}${basePath}`;
  const lines = [
    `ready ${origin} smtp://${formatHost(smtp.host)}:${smtp.port}`,
    `  The page:      ${toReach(http)}/`,
    `  Interface:     ${own}/create-session and so on`,
    `  Documentation: ${own}/docs`,
    ...(admin ? [`  Operator:      ${toReach(admin)}/admin`] : []),
    `  Kept in:       ${dataDir}${isKept ? '' : ' until it ends; --data DIR keeps the mail'}`,
    '  Mail for any address is accepted. A connection that authenticates, with any name and password, gets an inbox of its',
    '  own, which is read with the same name; all other mail shares one.',
    ...(isOpen(http) || isOpen(smtp)
      ? ['  Anyone who can reach this machine on these ports can read all of it.']
      : []),
    '',
    '  For the environment of a test:',
    '',
    ...testVariables(text).map(([name, value]) => `${name}=${value}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** The same as one line, for programs. */
export function describeDevAsJson(text: DevText): string {
  const { http, smtp, admin, basePath, dataDir, isKept } = text;
  const line = {
    smtp: { host: reachable(smtp.host), port: smtp.port },
    http: toReach(http),
    interface: toReach(http) + basePath,
    ...(admin ? { operator: `${toReach(admin)}/admin` } : {}),
    data: { folder: dataDir, kept: isKept },
    environment: Object.fromEntries(testVariables(text)),
  };
  return `${JSON.stringify(line)}\n`;
}

/** Returns nothing when all mail was read, or none came. */
export function describeInboxes(inboxes: readonly InboxCount[]): string {
  const left = inboxes.filter(({ unread }) => unread > 0);
  if (left.length === 0) return '';
  const sum = (of: (inbox: InboxCount) => number): number =>
    inboxes.reduce((total, one) => total + of(one), 0);
  const unread = sum((one) => one.unread);
  const messages = sum((one) => one.messages);
  const lines = left.map((one) => `  ${one.address ?? 'the shared inbox'}: ${one.unread}`);
  return `mayfly: ${unread} of ${messages} messages ${unread === 1 ? 'was' : 'were'} not read\n${lines.join('\n')}\n`;
}

/** Returns variables with the names that mail libraries, frameworks and clients commonly read. */
export function testVariables({
  http,
  smtp,
  basePath,
  worker,
}: Pick<DevText, 'http' | 'smtp' | 'basePath' | 'worker'>): [name: string, value: string][] {
  const url = toReach(http);
  const host = reachable(smtp.host);
  const login = worker ? `${encodeURIComponent(worker.user)}:${worker.password}@` : '';
  const readAt = url.replace('//', `//${login}`);
  return [
    ['SMTP_HOST', host],
    ['SMTP_PORT', String(smtp.port)],
    ['SMTP_URL', `smtp://${login}${formatHost(host)}:${smtp.port}`],
    ...(worker ? workerVariables(worker) : []),
    ['MAYFLY_URL', url + basePath],
    ['MAILPIT_URL', readAt],
    ['MAILHOG_URL', readAt],
    ['INBUCKET_URL', readAt],
    ['MAILTM_URL', url],
    ['MAILOSAUR_BASE_URL', url],
    ['GUERRILLA_URL', `${url}/ajax.php`],
    ...senderVariables(url),
  ];
}

/** Returns what makes all of an application's mail, by SMTP or HTTP, go to the worker's inbox, and what reads it. */
function workerVariables({ user, password, token }: WorkerInbox): [name: string, value: string][] {
  return [
    ['SMTP_USER', user],
    ['SMTP_PASSWORD', password],
    ['MAYFLY_TOKEN', token],
    ...Object.entries(senderKeys).map(([name, key]): [string, string] => [
      name,
      name === 'AWS_REGION' ? key : key.replace('mayfly', token),
    ]),
  ];
}

/** Returns the base addresses of services that send mail: those that their clients read, and names for the others. */
function senderVariables(url: string): [name: string, value: string][] {
  return [
    ['AWS_ENDPOINT_URL_SES', url],
    ['AWS_ENDPOINT_URL_SESV2', url],
    ['RESEND_BASE_URL', url],
    ['RESEND_API_URL', url],
    ['SENDGRID_BASE_URL', url],
    ['POSTMARK_BASE_URL', url],
    ['MAILGUN_BASE_URL', url],
    ['BREVO_BASE_URL', `${url}/v3`],
  ];
}

/** Keys for these services where the environment has none: their clients refuse to start without one. */
export const senderKeys = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'mayfly',
  AWS_SECRET_ACCESS_KEY: 'mayfly',
  RESEND_API_KEY: 're_mayfly',
  SENDGRID_API_KEY: 'SG.mayfly',
  POSTMARK_SERVER_TOKEN: 'mayfly',
  MAILGUN_API_KEY: 'mayfly',
  BREVO_API_KEY: 'xkeysib-mayfly',
} as const;

function toReach({ host, port }: ListeningAt): string {
  return `http://${formatHost(reachable(host))}:${port}`;
}

/** Converts a listener on all interfaces to loopback. */
function reachable(host: string): string {
  return host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
}

function isOpen({ host }: ListeningAt): boolean {
  return !/^(?:127\.|::1$|localhost$)/.test(host);
}
