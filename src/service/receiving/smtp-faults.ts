// The fault plans of capture sessions. Kept in the memory of the process that received them and removed with their
// session: no plan survives a restart or reaches another process. Consulted by the receiving protocol, for capture
// sessions only.

import { randomInt } from 'node:crypto';

import { isCapture } from '../../domain/addresses/capture.ts';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { type Session, type SessionKey, toKeyText } from '../../domain/session.ts';
import {
  faultLimits,
  type FaultRequest,
  type FaultRule,
  seedMax,
  toFaultRule,
} from '../../domain/smtp-fault.ts';
import { ArmedRule, type FaultEvent } from './armed-rule.ts';

export interface ShownFault extends FaultRule {
  /** How often it has fired. */
  readonly fired: number;
}

/** The most plans kept; the oldest are dropped first. */
const plansMax = 10_000;
/** The most dialogues delayed at once; further ones are not delayed. */
const delaysMax = 200;
const delaysPerSession = 50;

export class SmtpFaults {
  readonly #plans = new Map<string, readonly ArmedRule[]>();
  readonly #delays = new Map<string, number>();
  #delayed = 0;

  /** Whether no session has a plan. Checked for every message. */
  get isEmpty(): boolean {
    return this.#plans.size === 0;
  }

  show(key: SessionKey): ShownFault[] {
    return (this.#plans.get(toKeyText(key)) ?? []).map(({ rule, fired }) => ({ ...rule, fired }));
  }

  /** Replaces the session's plan; an empty list removes it. */
  set(key: SessionKey, rules: readonly ArmedRule[]): void {
    const name = toKeyText(key);
    this.#plans.delete(name);
    if (rules.length === 0) return;
    this.#plans.set(name, rules);
    const [oldest = name] = this.#plans.keys();
    if (this.#plans.size > plansMax) this.#plans.delete(oldest);
  }

  rulesOf(key: SessionKey): readonly ArmedRule[] {
    return this.#plans.get(toKeyText(key)) ?? [];
  }

  /** Call when the session has ended. */
  readonly forget = (key: SessionKey): void => {
    if (!this.isEmpty) this.#plans.delete(toKeyText(key));
  };

  /** Returns the rule that fires now, if any. */
  strike(key: SessionKey, event: FaultEvent): FaultRule | undefined {
    return this.rulesOf(key).find((rule) => rule.fires(event))?.rule;
  }

  /** Counts a delayed dialogue; returns false when there are too many. Pair each true with a release. */
  beginDelay(key: SessionKey): boolean {
    const name = toKeyText(key);
    const count = this.#delays.get(name) ?? 0;
    if (this.#delayed >= delaysMax || count >= delaysPerSession) return false;
    this.#delayed += 1;
    this.#delays.set(name, count + 1);
    return true;
  }

  endDelay(key: SessionKey): void {
    const name = toKeyText(key);
    const count = this.#delays.get(name) ?? 0;
    this.#delayed -= 1;
    if (count <= 1) this.#delays.delete(name);
    else this.#delays.set(name, count - 1);
  }
}

export interface SmtpFaultsDeps {
  readonly smtpFaults: SmtpFaults;
}

/** Replaces the session's plan. @throws MayflyError capture_only, invalid_parameter, conflicting_parameters */
export function setSmtpFaults(
  { smtpFaults }: SmtpFaultsDeps,
  session: Pick<Session, 'key' | 'address'>,
  requests: readonly FaultRequest[],
): ShownFault[] {
  if (requests.length > 0) requireCapture(session);
  requireFew(requests.length);
  smtpFaults.set(session.key, requests.map(arm));
  return smtpFaults.show(session.key);
}

/** Appends a rule; the existing ones keep their state. @throws MayflyError as setSmtpFaults */
export function addSmtpFault(
  { smtpFaults }: SmtpFaultsDeps,
  session: Pick<Session, 'key' | 'address'>,
  request: FaultRequest,
): ShownFault[] {
  requireCapture(session);
  const rules = smtpFaults.rulesOf(session.key);
  requireFew(rules.length + 1);
  smtpFaults.set(session.key, [...rules, arm(request)]);
  return smtpFaults.show(session.key);
}

/** In the order in which they are tried. */
export function showSmtpFaults({ smtpFaults }: SmtpFaultsDeps, { key }: Pick<Session, 'key'>): ShownFault[] {
  return smtpFaults.show(key);
}

function arm(request: FaultRequest): ArmedRule {
  return new ArmedRule(toFaultRule(request, randomInt(seedMax)));
}

function requireFew(count: number): void {
  if (count <= faultLimits.rulesMax) return;
  throw new MayflyError('invalid_parameter', `A session has at most ${faultLimits.rulesMax} rules.`, {
    parameter: 'stage',
  });
}

function requireCapture(session: Pick<Session, 'address'>): void {
  if (isCapture(session)) return;
  throw new MayflyError('capture_only', 'Only mail to a capture session fails on purpose.');
}
