// Carries out `mayfly gmail` and `mayfly secret` where the store is open. Called by execute-control.ts.

import { parseSecretKey } from '../domain/secret-key.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import { type GmailControl, listGmailAccounts } from '../service/gmail-control.ts';
import {
  addGmailAccount,
  disableGmailAccount,
  enableGmailAccount,
  getGmailAccount,
  removeGmailAccount,
  rotateSecretKey,
} from '../service/manage-gmail.ts';
import { OperatorError } from '../service/operator-error.ts';
import { formatTable } from './format-table.ts';
import type { GmailRequest } from './gmail-requests.ts';

/** @throws OperatorError */
export async function executeGmailRequest(
  deps: GmailControl,
  request: GmailRequest,
): Promise<readonly string[]> {
  switch (request.command) {
    case 'gmail-list':
      return formatAccounts(deps);
    case 'gmail-test':
      return testAccount(deps, request.email);
    case 'secret-rotate':
      return rotate(deps, request.newKey);
    default: {
      const line = await change(deps, request);
      deps.onAccountsChanged();
      return [line];
    }
  }
}

type Change = Exclude<GmailRequest, { readonly command: 'gmail-list' | 'gmail-test' | 'secret-rotate' }>;

async function change(deps: GmailControl, request: Change): Promise<string> {
  switch (request.command) {
    case 'gmail-add': {
      const { email, id } = await addGmailAccount(deps, request);
      return `Gmail account ${email} is set up with id ${id}; it lends aliases once the service has logged in.`;
    }
    case 'gmail-disable': {
      const { email } = await disableGmailAccount(deps.gmail, request.email);
      return `Gmail account ${email} lends no new aliases and gets no mail; its sessions live on to their end.`;
    }
    case 'gmail-enable': {
      const { email } = await enableGmailAccount(deps.gmail, request.email);
      return `Gmail account ${email} is active again.`;
    }
    case 'gmail-remove': {
      const ended = await removeGmailAccount(deps.gmail, request.email);
      return `Gmail account ${request.email.toLowerCase()} is removed; ${ended} of its sessions ended.`;
    }
  }
}

async function testAccount(deps: GmailControl, email: string): Promise<readonly string[]> {
  const { isWell, lines } = await deps.testAccount(await getGmailAccount(deps.gmail, email));
  if (isWell) return lines;
  throw new OperatorError(lines.join('\n'));
}

async function rotate(deps: GmailControl, newKey: string): Promise<readonly string[]> {
  const key = parseSecretKey(newKey);
  if (!key) throw new OperatorError('This is no secret key.');
  const count = await rotateSecretKey(deps, key);
  return [
    `The credentials of ${count} ${count === 1 ? 'account are' : 'accounts are'} sealed under the new key.`,
    'Now put it where MAYFLY_SECRET_KEY_FILE or MAYFLY_SECRET_KEY has the old one: the next start needs it. A service ' +
      'that runs goes on by itself.',
  ];
}

const states = {
  new: 'not connected yet',
  healthy: 'active',
  failing: 'no connection, tries again',
  refused: 'login refused, waits for you',
} as const;

async function formatAccounts({ gmail }: GmailControl): Promise<string[]> {
  const accounts = await listGmailAccounts(gmail);
  if (accounts.length === 0) {
    return ['No Gmail accounts. Add one: mayfly gmail add you@gmail.com --password-file FILE'];
  }
  const rows = accounts.map(({ account, freeDotVariants }) => [
    String(account.id),
    account.email,
    account.isActive ? states[account.health] : 'disabled',
    formatTimestamp(account.healthAt),
    String(account.liveSessions),
    String(freeDotVariants ?? '-'),
    String(account.bytesToday),
    String(account.unmatched),
    account.detail,
  ]);
  const head = [
    'ID',
    'EMAIL',
    'STATE',
    'SINCE',
    'SESSIONS',
    'FREE DOTS',
    'BYTES TODAY',
    'UNMATCHED',
    'DETAIL',
  ];
  return formatTable([head, ...rows]);
}
