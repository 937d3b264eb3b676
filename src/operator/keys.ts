// `mayfly key`: API keys of callers and admin keys of operators.

import { MayflyError } from '../domain/mayfly-error.ts';
import { addKey, revokeKey } from '../service/operating/manage-keys.ts';
import { OperatorError } from '../service/operating/operator-error.ts';
import { type Noun, operatorCommand } from './command.ts';
import { formatTable } from './format-table.ts';
import { toTime } from './to-time.ts';

const name = { kind: 'text', required: true, description: 'the key’s name', operand: 'NAME' } as const;

const add = operatorCommand({
  method: 'POST',
  path: '/admin/add-key',
  words: 'key add',
  help: 'create an API key for create-session; it is shown only once.',
  parameters: {
    name,
    scopes: {
      kind: 'text',
      description: 'create, gmail, webhook, capture; with --admin read, write (default: all)',
      option: { name: 'scope', value: 'SCOPE', repeats: true },
    },
    rate: {
      kind: 'int',
      min: 1,
      max: 1_000_000,
      description: 'calls a minute (default: the rate of the settings)',
      option: { name: 'rate', value: 'CALLS', takes: 'calls a minute, from 1 to 1000000' },
    },
    admin: {
      kind: 'flag',
      description: 'a key for the operator’s listener instead',
      option: { name: 'admin' },
      isLocal: true,
    },
  },
  async run({ operator }, { name: keyName, scopes, rate, admin }) {
    const { stored, key } = await addKey(operator, {
      name: keyName,
      kind: admin === true ? 'admin' : 'caller',
      scopes: splitScopes(scopes),
      ratePerMinute: rate,
    });
    return { name: stored.name, scopes: stored.scopes, key };
  },
  changes: ({ name: made, admin }) => `${admin === true ? 'admin ' : ''}${made}`,
  print: ({ name: stored, scopes, key }) => [
    key,
    `Key ${stored} for ${scopes.join(', ')}. It is shown only once and stored nowhere.`,
  ],
});

/** Empty text, such as an unset shell variable, is an invalid scope and does not mean all. */
function splitScopes(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const scopes = text.split(',').filter((scope) => scope !== '');
  return scopes.length > 0 ? scopes : [''];
}

const list = operatorCommand({
  method: 'GET',
  path: '/admin/keys',
  words: 'key list',
  help: 'list keys with their scopes and uses',
  parameters: {},
  async run({ operator }) {
    const keys = await operator.keys.listKeys();
    return {
      keys: keys.map((key) => ({
        id: key.id,
        name: key.name,
        admin: key.kind === 'admin',
        scopes: key.scopes,
        rate_per_minute: key.ratePerMinute,
        created_at: toTime(key.createdAt),
        revoked_at: toTime(key.revokedAt),
        uses: key.uses,
        last_used_at: toTime(key.lastUsedAt),
      })),
    };
  },
  print({ keys }) {
    if (keys.length === 0) return ['No keys. Create one: mayfly key add NAME'];
    const rows = keys.map((key) => [
      key.name,
      key.admin ? 'admin' : 'caller',
      key.scopes.join(','),
      key.rate_per_minute === null ? 'usual' : `${key.rate_per_minute}/min`,
      String(key.uses),
      key.last_used_at ?? 'never',
      key.revoked_at === null ? 'in force' : `revoked ${key.revoked_at}`,
    ]);
    return formatTable([['NAME', 'KIND', 'SCOPES', 'RATE', 'USES', 'LAST USED', 'STATE'], ...rows]);
  },
});

const revoke = operatorCommand({
  method: 'POST',
  path: '/admin/revoke-key',
  words: 'key revoke',
  help: 'revoke the key at once',
  parameters: { name },
  run: async ({ operator }, given) => ({ name: (await revokeKey(operator, given.name)).name }),
  changes: ({ name: revoked }) => revoked,
  print: ({ name: revoked }) => [`Key ${revoked} is revoked.`],
});

const makeLink = operatorCommand({
  method: 'POST',
  path: '/admin/make-link',
  words: 'key link',
  help: 'make a link to the operator’s page that gives an admin key once, within the hour',
  isLocal: true,
  parameters: {},
  run({ operator: { links, settings } }) {
    const of = (name: string): string => settings.find((one) => one.name === name)?.value ?? '';
    const port = of('MAYFLY_ADMIN_PORT');
    if (!links) throw new OperatorError('No service runs on the data folder, so no page can be opened.');
    if (port === 'off' || port === '') {
      throw new OperatorError('The operator’s page is off: set MAYFLY_ADMIN_PORT=8081.');
    }
    const { code, endsAt } = links.make();
    // In the fragment, which browsers send to no server.
    const origin = of('MAYFLY_ADMIN_PUBLIC_URL') || `http://127.0.0.1:${port}`;
    return Promise.resolve({ url: `${origin}/admin#link=${code}`, ends_at: toTime(endsAt) });
  },
  changes: () => '',
  print: ({ url, ends_at }) => [url, `It works once, until ${ends_at ?? ''}.`],
});

const redeemLink = operatorCommand({
  method: 'POST',
  path: '/admin/redeem-link',
  help: 'exchange the code of a link for an admin key, once; needs no key',
  isOpen: true,
  parameters: { code: { kind: 'text', required: true, description: 'the code' } },
  async run({ operator: { links } }, { code }) {
    const made = await links?.redeem(code);
    if (made) return { name: made.stored.name, scopes: made.stored.scopes, key: made.key };
    throw new MayflyError(
      'invalid_api_key',
      'The link was used, or its hour is over. Make another: mayfly key link',
    );
  },
  changes: (_given, made) => (made ? `admin ${made.name}` : ''),
  print: ({ key }) => [key],
});

export const keys: Noun = { word: 'key', commands: [add, list, revoke, makeLink, redeemLink] };
