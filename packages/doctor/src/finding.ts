// The result of a check.

/** `unknown`: it could not be checked, which is not the same as right. */
export type FindingState = 'ok' | 'warning' | 'failed' | 'unknown';

export const checkNames = [
  ...([
    'mx',
    'address',
    'reverse',
    'wildcard-mx',
    'tls',
    'spf',
    'dmarc',
    'mta-sts',
    'tls-rpt',
    'mail',
  ] as const),
  ...([
    'service',
    'page',
    'proxy',
    'clock',
    'descriptors',
    'disk',
    'sync',
    'database',
    'files',
    'backup',
    'version',
  ] as const),
] as const;

export type CheckName = (typeof checkNames)[number];

export interface Finding {
  readonly check: CheckName;
  /** The domain, host or address that it concerns; empty for this server. */
  readonly subject: string;
  readonly state: FindingState;
  /** One sentence. */
  readonly what: string;
  /** One sentence of what to do; null when there is nothing to do. */
  readonly fix: string | null;
}

/** Makes the findings of one check. */
export function findingsOf(check: CheckName, subject = '') {
  const to = (state: FindingState, what: string, fix: string | null): Finding => ({
    check,
    subject,
    state,
    what,
    fix,
  });
  return {
    ok: (what: string) => to('ok', what, null),
    warning: (what: string, fix: string) => to('warning', what, fix),
    failed: (what: string, fix: string) => to('failed', what, fix),
    unknown: (what: string, fix: string) => to('unknown', what, fix),
  };
}

const worstFirst = ['failed', 'warning', 'unknown', 'ok'] as const;

/** Returns the worst; `unknown` when nothing was checked. */
export function stateOf(findings: readonly { readonly state: FindingState }[]): FindingState {
  return worstFirst.find((state) => findings.some((one) => one.state === state)) ?? 'unknown';
}

/** For people. */
export function listNames(names: readonly string[], most = 5): string {
  const more = names.length > most ? ` and ${names.length - most} more` : '';
  return `${names.slice(0, most).join(', ')}${more}`;
}
