// Scopes of API keys. Callers' keys and operators' keys are separate kinds that never substitute for each other.

/**
 * `create`: create-session; `gmail` and `webhook`: the same with a Gmail alias or a webhook_url; `capture`: capture
 * sessions.
 */
export const callerScopes = ['create', 'gmail', 'webhook', 'capture'] as const;
/** `read`: see everything in the admin interface; `write`: change it. */
export const adminScopes = ['read', 'write'] as const;

export type CallerScope = (typeof callerScopes)[number];
export type AdminScope = (typeof adminScopes)[number];
export type KeyScope = CallerScope | AdminScope;
export type KeyKind = 'caller' | 'admin';

export function scopesOfKind(kind: KeyKind): readonly KeyScope[] {
  return kind === 'admin' ? adminScopes : callerScopes;
}
