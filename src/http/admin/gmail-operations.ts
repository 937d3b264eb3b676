// /admin: Gmail accounts. Credentials come in and never go out.

import {
  addGmailAccount,
  disableGmailAccount,
  enableGmailAccount,
  getGmailAccount,
  removeGmailAccount,
} from '../../service/manage-gmail.ts';
import { listGmailAccounts, toLagMs } from '../../service/gmail-control.ts';
import { jsonAnswer } from '../answer.ts';
import { type AdminOperation, adminOperation } from './admin-operation.ts';
import { toTime } from './to-time.ts';

const email = { kind: 'text', required: true, description: 'The account’s address.' } as const;
const text = (description: string) => ({ kind: 'text', description }) as const;

const listOperation = adminOperation({
  method: 'GET',
  path: '/admin/gmail-accounts',
  summary: 'Gmail accounts with their states, lag and free dot variants; never their credentials',
  parameters: {},
  async run({ operator }) {
    const accounts = await listGmailAccounts(operator.gmail.gmail);
    return jsonAnswer({
      accounts: accounts.map(({ account, freeDotVariants }) => {
        const lagMs = toLagMs(account, Date.now());
        return {
          id: account.id,
          email: account.email,
          host: account.host,
          active: account.isActive,
          state: account.isActive ? account.health : 'disabled',
          state_since: toTime(account.healthAt),
          detail: account.detail,
          lag_seconds: lagMs === null ? null : Math.floor(lagMs / 1000),
          free_dot_variants: freeDotVariants,
          live_sessions: account.liveSessions,
          bytes_today: account.bytesToday,
          unmatched: account.unmatched,
        };
      }),
    });
  },
});

const addOperation = adminOperation({
  method: 'POST',
  path: '/admin/add-gmail-account',
  summary: 'Set up an account with its app password, or give one its new settings. OAuth by the CLI alone',
  parameters: {
    email,
    password: { kind: 'text', required: true, description: 'An app password.' },
    host: text('Where its IMAP server is; Gmail’s when absent.'),
    port: { kind: 'int', min: 1, max: 65_535, description: '993, or 143 without TLS from the start.' },
    security: { kind: 'choice', values: ['tls', 'starttls', 'none'], description: '`tls` when absent.' },
    user: text('Login name; the address when absent.'),
    inbox_folder: text('Found by itself when absent.'),
    spam_folder: text('Found by itself when absent.'),
  },
  async run({ operator }, { password, inbox_folder, spam_folder, security, ...given }) {
    const { id, email: added } = await addGmailAccount(operator.gmail, {
      ...given,
      credentials: { kind: 'password', password },
      security,
      inboxFolder: inbox_folder,
      spamFolder: spam_folder,
    });
    operator.gmail.onAccountsChanged();
    return jsonAnswer({ id, email: added });
  },
});

const testOperation = adminOperation({
  method: 'POST',
  path: '/admin/test-gmail-account',
  summary: 'Connect and log in, and tell what was found',
  parameters: { email },
  async run({ operator: { gmail } }, parameters) {
    const account = await getGmailAccount(gmail.gmail, parameters.email);
    const { isWell, lines } = await gmail.testAccount(account);
    return jsonAnswer({ email: account.email, well: isWell, lines });
  },
});

const disableOperation = adminOperation({
  method: 'POST',
  path: '/admin/disable-gmail-account',
  summary: 'Lend no new aliases of it and fetch no more mail; its sessions live on to their end',
  parameters: { email },
  async run({ operator: { gmail } }, parameters) {
    const account = await disableGmailAccount(gmail.gmail, parameters.email);
    gmail.onAccountsChanged();
    return jsonAnswer({ email: account.email });
  },
});

const enableOperation = adminOperation({
  method: 'POST',
  path: '/admin/enable-gmail-account',
  summary: 'Make a disabled account active again, with the settings it has',
  parameters: { email },
  async run({ operator: { gmail } }, parameters) {
    const account = await enableGmailAccount(gmail.gmail, parameters.email);
    gmail.onAccountsChanged();
    return jsonAnswer({ email: account.email });
  },
});

const removeOperation = adminOperation({
  method: 'POST',
  path: '/admin/remove-gmail-account',
  summary: 'End its sessions and forget it and its credentials',
  parameters: { email },
  async run({ operator: { gmail } }, parameters) {
    const ended = await removeGmailAccount(gmail.gmail, parameters.email);
    gmail.onAccountsChanged();
    return jsonAnswer({ ended_sessions: ended });
  },
});

export const gmailOperations: readonly AdminOperation[] = [
  listOperation,
  addOperation,
  testOperation,
  disableOperation,
  enableOperation,
  removeOperation,
];
