// What an API key is for. Keys of callers and keys of the operator are of two kinds that never stand for each other.

/**
 * `create`: create-session; `gmail` and `webhook`: with a Gmail alias, with a webhook_url; `capture`: create-session of
 * capture sessions.
 */
export const callerScopes = ['create', 'gmail', 'webhook', 'capture'] as const;
/** `read`: look at everything of the admin interface; `write`: change it. */
export const adminScopes = ['read', 'write'] as const;

export type CallerScope = (typeof callerScopes)[number];
export type AdminScope = (typeof adminScopes)[number];
export type KeyScope = CallerScope | AdminScope;
export type KeyKind = 'caller' | 'admin';

export function scopesOfKind(kind: KeyKind): readonly KeyScope[] {
  return kind === 'admin' ? adminScopes : callerScopes;
}
