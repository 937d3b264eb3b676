// The results of checking a message's origin: SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489) and ARC (RFC 8617),
// in the terms of RFC 8601. Made by check-authentication.ts.

export type AuthenticationResult =
  'pass' | 'fail' | 'softfail' | 'neutral' | 'none' | 'policy' | 'temperror' | 'permerror';

interface Check {
  readonly result: AuthenticationResult;
  /**
   * The domain that the result is about, in ASCII; null when there is none. Only a claim of the sender unless the
   * result is `pass`.
   */
  readonly domain: string | null;
  /**
   * A short reason why it is not `pass`; null when the result needs no explanation. May contain text from the sender.
   */
  readonly reason: string | null;
}

export interface DkimSignature extends Check {
  readonly selector: string;
}

export interface DkimCheck extends Check {
  /** In the message's order, at most `signaturesMax`. */
  readonly signatures: readonly DkimSignature[];
}

export interface DmarcCheck extends Check {
  /** The domain's policy for mail that fails; null if it publishes none. */
  readonly policy: 'none' | 'quarantine' | 'reject' | null;
  /** Whether the domain requests that its policy not be applied to all its mail (`pct` below 100, or `t=y`). */
  readonly isTesting: boolean;
}

export interface Authentication {
  readonly spf: Check;
  readonly dkim: DkimCheck;
  readonly dmarc: DmarcCheck;
  readonly arc: Check;
  /**
   * A short reason why the sender or subject shown to readers may differ from the one that was checked; absent for an
   * ordinary header.
   */
  readonly doubt?: string;
}

/** The most signatures of one message that are checked; legitimate mail has at most three. */
export const signaturesMax = 5;

/** Returns the result for a message whose check did not finish. */
export function unfinishedAuthentication(reason: string): Authentication {
  const check = { result: 'temperror', domain: null, reason } as const;
  return {
    spf: check,
    dkim: { ...check, signatures: [] },
    dmarc: { ...check, policy: null, isTesting: false },
    arc: check,
  };
}

/** Reports whether a later check may give a better result. */
export function isUnfinished({ spf, dkim, dmarc, arc }: Authentication): boolean {
  return [spf, dkim, dmarc, arc].some(({ result }) => result === 'temperror');
}

/** Reports whether the policy of the From domain is to refuse the message. */
export function isToBeRefused({ dmarc }: Authentication): boolean {
  return dmarc.result === 'fail' && dmarc.policy === 'reject' && !dmarc.isTesting;
}
