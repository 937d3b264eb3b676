// What the page lists, and what can be done there: each section with its operation, its form and the actions of a row.

import { type Answer, type Parameters, show } from './call-operation.ts';

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: 'password' | 'number';
  readonly choices?: readonly string[];
  readonly isOptional?: true;
}

/** Sends its fields to an operation. */
export interface Form {
  readonly path: string;
  readonly button: string;
  readonly fields: readonly Field[];
}

export interface Action {
  readonly label: string;
  /** What it acts on, where that is not in the first column. */
  readonly what?: string;
  /** Asked before. */
  readonly question?: string;
  readonly path: string;
  /** Without one the operation only reads. */
  readonly body?: Parameters;
}

export interface Section {
  readonly title: string;
  /** The operation that lists, and the list in its answer. */
  readonly path: string;
  readonly list: string;
  readonly columns: readonly string[];
  readonly form?: Form;
  /** Parameter of the operation, which a search field gives. */
  readonly search?: { readonly name: string; readonly label: string };
  readonly actionsOf?: (row: Answer) => readonly Action[];
}

export const sections: readonly Section[] = [
  {
    title: 'Domains',
    path: 'domains',
    list: 'domains',
    columns: ['domain', 'active', 'quarantine_seconds', 'takes_plus_tags', 'last_mail_at'],
    form: {
      path: 'add-domain',
      button: 'Add domain',
      fields: [
        { name: 'name', label: 'Domain' },
        { name: 'quarantine', label: 'Seconds an address rests', type: 'number', isOptional: true },
      ],
    },
    actionsOf(row) {
      const name = show(row['domain']);
      return [
        { label: 'Check', path: `check-domain?name=${encodeURIComponent(name)}` },
        row['active'] === true
          ? { label: 'Disable', question: `Disable ${name}?`, path: 'disable-domain', body: { name } }
          : { label: 'Enable', path: 'add-domain', body: { name } },
        row['takes_plus_tags'] === true
          ? { label: 'Refuse plus tags', path: 'set-domain', body: { name, plus: 'off' } }
          : { label: 'Take plus tags', path: 'set-domain', body: { name, plus: 'on' } },
        removal(name, 'remove-domain', { name }),
      ];
    },
  },
  {
    title: 'Gmail accounts',
    path: 'gmail-accounts',
    list: 'accounts',
    columns: [
      ...['email', 'state', 'state_since', 'lag_seconds', 'free_dot_variants', 'live_sessions'],
      ...['unmatched', 'detail'],
    ],
    form: {
      path: 'add-gmail-account',
      button: 'Add account',
      fields: [
        { name: 'email', label: 'Address' },
        { name: 'password', label: 'App password', type: 'password' },
      ],
    },
    actionsOf(row) {
      const email = show(row['email']);
      return [
        { label: 'Test', path: 'test-gmail-account', body: { email } },
        row['active'] === true
          ? {
              label: 'Disable',
              question: `Disable ${email}?`,
              path: 'disable-gmail-account',
              body: { email },
            }
          : { label: 'Enable', path: 'enable-gmail-account', body: { email } },
        removal(email, 'remove-gmail-account', { email }),
      ];
    },
  },
  {
    title: 'Sessions',
    path: 'sessions',
    list: 'sessions',
    columns: ['email', 'created_at', 'expires_at', 'message_count', 'message_bytes'],
    search: { name: 'address', label: 'Address begins with' },
    actionsOf(row) {
      const email = show(row['email']);
      const question = `End ${email}? Its messages are gone then.`;
      return [{ label: 'End', question, path: 'end-session', body: { address: email } }];
    },
  },
  {
    title: 'Blocked',
    path: 'blocks',
    list: 'blocks',
    columns: ['kind', 'value', 'note', 'created_at'],
    form: {
      path: 'add-block',
      button: 'Block',
      fields: [
        { name: 'kind', label: 'Block', choices: ['sender', 'prefix', 'network'] },
        { name: 'value', label: 'Value' },
        { name: 'note', label: 'Note', isOptional: true },
      ],
    },
    actionsOf({ kind, value }) {
      const what = show(value);
      const question = `Lift the block of ${what}?`;
      return [{ label: 'Lift', what, question, path: 'remove-block', body: { kind, value } }];
    },
  },
  {
    title: 'Keys',
    path: 'keys',
    list: 'keys',
    columns: ['name', 'admin', 'scopes', 'rate_per_minute', 'uses', 'last_used_at', 'revoked_at'],
    form: {
      path: 'add-key',
      button: 'Make key',
      fields: [
        { name: 'name', label: 'Name' },
        { name: 'rate', label: 'Calls a minute', type: 'number', isOptional: true },
      ],
    },
    actionsOf({ name, revoked_at: revokedAt }) {
      if (revokedAt !== null) return [];
      return [{ label: 'Revoke', question: `Revoke ${show(name)}?`, path: 'revoke-key', body: { name } }];
    },
  },
  {
    title: 'Webhooks given up',
    path: 'dead-webhooks',
    list: 'dead_webhooks',
    columns: ['id', 'event', 'happened_at', 'given_up_at', 'tries', 'reason'],
    actionsOf: ({ id }) => [{ label: 'Send again', path: 'replay-webhook', body: { id: show(id) } }],
  },
  { title: 'Settings', path: 'settings', list: 'settings', columns: ['name', 'value', 'default'] },
];

function removal(what: string, path: string, body: Parameters): Action {
  return { label: 'Remove', question: `Remove ${what}? Its sessions end.`, path, body };
}
