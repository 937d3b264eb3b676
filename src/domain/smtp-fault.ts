// Planned faults for mail to a capture session, for testing senders. A plan is a list of rules; at each stage of a
// dialogue the first rule that fires decides.

import { MayflyError } from './mayfly-error.ts';

/**
 * `http`: a call of an HTTP interface for senders (compat/senders/), checked and not stored yet; the others are of an
 * SMTP dialogue. `connect` and `auth` replace the reply to AUTH, because a connection belongs to no session earlier; after `connect`
 * the connection ends. `end_of_data`: the message was received and is not stored yet.
 */
export const faultStages = ['connect', 'auth', 'mail', 'rcpt', 'data', 'end_of_data', 'http'] as const;

export type FaultStage = (typeof faultStages)[number];

/** A rule as requested. */
export interface FaultRequest {
  readonly stage: FaultStage;
  /** The code of the reply; at `http` the status of the answer. */
  readonly code?: number | undefined;
  readonly text?: string | undefined;
  readonly delayMs?: number | undefined;
  /** Whether to cut the connection instead of replying. */
  readonly drops?: boolean | undefined;
  /** How many times the rule fires. */
  readonly first?: number | undefined;
  /** Whether it fires once per sender and set of recipients. */
  readonly isGreylist?: boolean | undefined;
  /** In per cent. */
  readonly probability?: number | undefined;
  readonly seed?: number | undefined;
}

export interface FaultRule {
  readonly stage: FaultStage;
  /** Null when the rule only delays or drops. */
  readonly code: number | null;
  readonly text: string;
  readonly delayMs: number;
  readonly drops: boolean;
  readonly first: number | null;
  readonly isGreylist: boolean;
  readonly probability: number;
  readonly seed: number;
}

export const faultLimits = { codeMin: 400, codeMax: 599, delayMaxMs: 30_000, rulesMax: 20, textMax: 200 };
export const seedMax = 2 ** 32 - 1;

export const defaultFaultText = 'Failing as the session asked';

/** @param seed used by a rule without its own @throws MayflyError invalid_parameter, conflicting_parameters */
export function toFaultRule(request: FaultRequest, seed: number): FaultRule {
  const { stage, text, first = null, isGreylist = false, drops = false, delayMs = 0 } = request;
  const { codeMin, codeMax, delayMaxMs, textMax } = faultLimits;
  const { code = defaultCode(request), probability = 100, seed: givenSeed = seed } = request;
  requireInteger('code', code, { min: codeMin, max: codeMax });
  requireInteger('delay_ms', delayMs, { min: 0, max: delayMaxMs });
  requireInteger('first', first, { min: 1, max: Number.MAX_SAFE_INTEGER });
  requireInteger('probability', probability, { min: 0, max: 100 });
  requireInteger('seed', givenSeed, { min: 0, max: seedMax });
  if (drops && (request.code !== undefined || text !== undefined)) {
    throw new MayflyError('conflicting_parameters', 'A dropped connection gets no `code` and no `text`.');
  }
  if (text !== undefined && !isReplyText(text)) {
    throw invalid('text', `must be 1 to ${textMax} printable ASCII characters on one line`);
  }
  if (isGreylist && !['rcpt', 'data', 'end_of_data', 'http'].includes(stage)) {
    throw invalid('greylist', 'goes by recipient: it needs the stage rcpt, data, end_of_data or http');
  }
  return {
    stage,
    code,
    text: text ?? defaultFaultText,
    delayMs,
    drops,
    first,
    isGreylist,
    probability,
    seed: givenSeed,
  };
}

/** A rule without an action refuses temporarily. */
function defaultCode({ stage, drops, delayMs, text, isGreylist }: FaultRequest): number | null {
  const onlyDelays = delayMs !== undefined && text === undefined && !isGreylist;
  if (drops || onlyDelays) return null;
  if (stage === 'http') return 500;
  return stage === 'auth' ? 454 : 451;
}

/** Returns the reply's text with an enhanced code of the reply's class (RFC 2034). */
export function faultReplyText({ text }: Pick<FaultRule, 'text'>, code: number): string {
  const kind = Math.floor(code / 100);
  return new RegExp(`^${kind}\\.\\d{1,3}\\.\\d{1,3} .`).test(text) ? text : `${kind}.0.0 ${text}`;
}

function isReplyText(text: string): boolean {
  return /^[\x20-\x7e]+$/.test(text) && text.length <= faultLimits.textMax;
}

function requireInteger(
  name: string,
  value: number | null,
  { min, max }: { readonly min: number; readonly max: number },
): void {
  if (value === null || (Number.isSafeInteger(value) && value >= min && value <= max)) return;
  throw invalid(name, `must be a whole number from ${min} to ${max}`);
}

function invalid(parameter: string, what: string): MayflyError {
  return new MayflyError('invalid_parameter', `\`${parameter}\` ${what}.`, { parameter });
}
