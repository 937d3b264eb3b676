// `mayfly passkey`: passkeys of administrators, and how the operator's page signs in, by a key or a passkey.

import type { Actor } from '#audit/entry';
import { MayflyError } from '../domain/mayfly-error.ts';
import { removePasskey } from '../service/operating/manage-keys.ts';
import { OperatorError } from '../service/operating/operator-error.ts';
import type { Admitted, SignIns, TokenHolder } from '../service/operating/sign-ins.ts';
import { type Noun, type OperatorContext, operatorCommand } from './command.ts';
import { formatTable } from './format-table.ts';
import { toTime } from './to-time.ts';

/** The limit is far above what browsers send. */
const ending = {
  ceremony: { kind: 'text', required: true, maxLength: 1024, description: '`ceremony` of the beginning' },
  response: {
    kind: 'text',
    required: true,
    maxLength: 40_000,
    description: 'the browser’s answer, as JSON in a text',
  },
} as const;

const list = operatorCommand({
  method: 'GET',
  path: '/admin/passkeys',
  words: 'passkey list',
  help: 'list the passkeys with which administrators sign in to the page, beside their keys',
  parameters: {},
  async run({ operator }) {
    const listed = await operator.passkeys.listPasskeys();
    return {
      passkeys: listed.map(({ id, administrator, name, createdAt, lastUsedAt }) => ({
        id: String(id),
        key: administrator,
        name,
        created_at: toTime(createdAt),
        last_used_at: toTime(lastUsedAt),
      })),
    };
  },
  print({ passkeys: listed }) {
    if (listed.length === 0) return ['No passkeys. They are added on the operator’s page.'];
    const rows = listed.map(({ id, key, name, created_at, last_used_at }) => [
      ...[id, key, name, created_at ?? '', last_used_at ?? 'never'],
    ]);
    return formatTable([['ID', 'KEY', 'NAME', 'ADDED', 'LAST USED'], ...rows]);
  },
});

const remove = operatorCommand({
  method: 'POST',
  path: '/admin/remove-passkey',
  words: 'passkey remove',
  help: 'remove the passkey, and end what it signed in to, at once',
  parameters: {
    id: { kind: 'text', required: true, maxLength: 20, description: 'its id in the list', operand: 'ID' },
  },
  async run({ operator }, { id }) {
    const { administrator: key, name } = await removePasskey(operator, id);
    return { key, name };
  },
  changes: ({ id }, removed) => (removed ? nameOf(removed.key, removed.name) : id),
  print: ({ key, name }) => [`Passkey ${name} of ${key} is removed.`],
});

const signIn = operatorCommand({
  method: 'POST',
  path: '/admin/sign-in',
  help: 'exchange an admin key for a token of twelve hours, for the page; needs no `Authorization`',
  isOpen: true,
  parameters: { key: { kind: 'text', required: true, maxLength: 200, description: 'the admin key' } },
  async run(context, { key }) {
    const admitted = (await openSignIns(context)).byKey(key);
    if (admitted) return toAnswer(admitted);
    throw new MayflyError('invalid_api_key', 'The admin key is wrong or revoked.');
  },
  changes: () => '',
  actorOf: toActor,
  print: ({ token }) => [token],
});

const beginPasskeySignIn = operatorCommand({
  method: 'POST',
  path: '/admin/begin-passkey-sign-in',
  help: 'give the page a challenge for `passkey-sign-in`, for five minutes; needs no key',
  isOpen: true,
  parameters: {},
  run: async (context) => (await openSignIns(context)).begin(context.pageOrigin),
  changes: 'nothing',
  print: ({ ceremony }) => [ceremony],
});

const passkeySignIn = operatorCommand({
  method: 'POST',
  path: '/admin/passkey-sign-in',
  help: 'exchange what a passkey signed for a token of twelve hours; needs no key',
  isOpen: true,
  parameters: ending,
  async run(context, given) {
    const signIns = await openSignIns(context);
    try {
      return toAnswer(await signIns.byPasskey(context.pageOrigin, given));
    } catch (error) {
      const { PasskeyCopied } = await import('../service/operating/sign-ins.ts');
      if (error instanceof PasskeyCopied) {
        const { administrator, name } = error.passkey;
        const act = { actor: signedInActor(administrator, name), action: 'passkey-sign-in', target: '' };
        await context.operator.audit.note(act, 'refused', error.publicMessage);
      }
      throw error;
    }
  },
  changes: () => '',
  actorOf: toActor,
  print: ({ token }) => [token],
});

const beginAdding = operatorCommand({
  method: 'POST',
  path: '/admin/begin-passkey',
  help: 'give the page a challenge for `add-passkey`, within ten minutes of signing in',
  parameters: {},
  async run(context) {
    const signIns = await openSignIns(context);
    return signIns.beginAdding(context.pageOrigin, requireSignIn(context));
  },
  changes: 'nothing',
  print: ({ ceremony }) => [ceremony],
});

const add = operatorCommand({
  method: 'POST',
  path: '/admin/add-passkey',
  help: 'add a passkey, which gives what the administrator’s key does, and ends with it',
  parameters: {
    name: { kind: 'text', required: true, maxLength: 100, description: 'what the administrator calls it' },
    ...ending,
  },
  async run(context, given) {
    const signIns = await openSignIns(context);
    const holder = requireSignIn(context);
    return { key: holder.name, name: await signIns.add(context.pageOrigin, holder, given) };
  },
  changes: ({ name }, added) => (added ? nameOf(added.key, added.name) : name),
  print: ({ name }) => [`Passkey ${name} is added.`],
});

/** @throws OperatorError */
function openSignIns({ operator: { signIns } }: OperatorContext): Promise<SignIns> {
  if (signIns) return signIns();
  throw new OperatorError('No service runs on the data folder, so no page can be signed in to.');
}

/** @throws OperatorError */
function requireSignIn({ signedIn }: OperatorContext): TokenHolder {
  if (signedIn) return signedIn;
  throw new OperatorError('Passkeys are added with the token of POST /admin/sign-in, not with a key itself.');
}

interface SignInAnswer {
  readonly token: string;
  readonly key: string;
  /** Null for a key. */
  readonly passkey: string | null;
  readonly scopes: readonly string[];
  readonly ends_at: string | null;
}

function toAnswer({ token, keyName, passkeyName, scopes, endsAt }: Admitted): SignInAnswer {
  return { token, key: keyName, passkey: passkeyName ?? null, scopes: [...scopes], ends_at: toTime(endsAt) };
}

function toActor({ key, passkey }: SignInAnswer): Actor {
  return signedInActor(key, passkey ?? undefined);
}

/** Returns the administrator who signed in with a key, or with a passkey beside it, as the audit has them. */
export function signedInActor(key: string, passkey: string | undefined): Actor {
  return passkey === undefined ? { kind: 'key', name: key } : { kind: 'passkey', name: nameOf(key, passkey) };
}

/** As the audit names a passkey. */
function nameOf(key: string, passkey: string): string {
  return `${key}/${passkey}`;
}

export const passkeys: Noun = {
  word: 'passkey',
  commands: [list, remove, signIn, beginPasskeySignIn, passkeySignIn, beginAdding, add],
};
