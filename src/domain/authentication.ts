// What the checks of a message's origin came to: SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489) and ARC (RFC 8617),
// in the words of RFC 8601. Made by net/, kept sealed beside the message, shown by read-mail.

export type AuthenticationResult =
  'pass' | 'fail' | 'softfail' | 'neutral' | 'none' | 'policy' | 'temperror' | 'permerror';

interface Check {
  readonly result: AuthenticationResult;
  /** The domain that the result is about, in ASCII; null when there is none. The sender's claim unless `pass`. */
  readonly domain: string | null;
  /** In a few words why it is not `pass`; null when the result says it all. May hold the sender's words. */
  readonly reason: string | null;
}

export interface DkimSignature extends Check {
  readonly selector: string;
}

export interface DkimCheck extends Check {
  /** In the message's order, at most `signaturesMax` of them. */
  readonly signatures: readonly DkimSignature[];
}

export interface DmarcCheck extends Check {
  /** What the domain asks to be done with mail that fails; null when it asks nothing. */
  readonly policy: 'none' | 'quarantine' | 'reject' | null;
  /** The domain asks that its policy not be applied to all its mail (`pct` below 100, or `t=y`). */
  readonly isTesting: boolean;
}

export interface Authentication {
  readonly spf: Check;
  readonly dkim: DkimCheck;
  readonly dmarc: DmarcCheck;
  readonly arc: Check;
  /**
   * Why the sender or the subject that people are shown may be another than the one that was checked, in a few words;
   * absent for an ordinary header.
   */
  readonly doubt?: string;
}

/** Signatures of one message that are looked at; nobody honest writes more than three. */
export const signaturesMax = 5;

/** What is known of a message whose check did not come to an end. */
export function unfinishedAuthentication(reason: string): Authentication {
  const check = { result: 'temperror', domain: null, reason } as const;
  return {
    spf: check,
    dkim: { ...check, signatures: [] },
    dmarc: { ...check, policy: null, isTesting: false },
    arc: check,
  };
}

/** Whether asking again later may tell more. */
export function isUnfinished({ spf, dkim, dmarc, arc }: Authentication): boolean {
  return [spf, dkim, dmarc, arc].some(({ result }) => result === 'temperror');
}

/** Whether the owner of the From domain wants the message refused. */
export function isToBeRefused({ dmarc }: Authentication): boolean {
  return dmarc.result === 'fail' && dmarc.policy === 'reject' && !dmarc.isTesting;
}
