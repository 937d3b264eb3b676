// Mailpit's chaos, mapped to three stages of a capture session's fault plan. A session with one address has none.

import { type Answer, stringifyWellFormed } from '#http-parts/answer';
import { isCapture } from '../../domain/addresses/capture.ts';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { Session } from '../../domain/session.ts';
import type { Services } from '../../service/services.ts';
import { sessionRoute } from '../dialect.ts';
import { jsonHeaders } from './answers.ts';
import { parseJsonObject } from '#http-parts/json-object';

const triggers = [
  ['Authentication', 'auth'],
  ['Recipient', 'rcpt'],
  ['Sender', 'mail'],
] as const;
/** For a trigger that never fires. */
const defaultCode = 451;

export const chaosRoutes = [
  sessionRoute(
    'GET /api/v1/chaos',
    'the faults of a capture session; 400 for others',
    ({ services }, { live: { session } }) => {
      requireCapture(session);
      return showTriggers(services, session);
    },
  ),
  sessionRoute(
    'PUT /api/v1/chaos',
    'replaces the session’s whole plan of faults',
    ({ services }, { live: { session }, body }) => {
      requireCapture(session);
      const given = parseJsonObject(body);
      const requests = triggers.map(([name, stage]) => ({ stage, ...readTrigger(given[name], name) }));
      // An omitted fault is off.
      services.setSmtpFaults(
        session,
        requests.filter(({ probability }) => probability > 0),
      );
      return showTriggers(services, session);
    },
  ),
];

function showTriggers(services: Services, session: Session): Answer {
  const rules = services.showSmtpFaults(session);
  const view = triggers.map(([name, stage]) => {
    const rule = rules.find((one) => one.stage === stage && one.code !== null);
    return [name, { ErrorCode: rule?.code ?? defaultCode, Probability: rule?.probability ?? 0 }];
  });
  return { headers: jsonHeaders, body: stringifyWellFormed(Object.fromEntries(view)) };
}

/** The rules check the ranges, except for a trigger that never fires. @throws MayflyError invalid_parameter */
function readTrigger(value: unknown, name: string): { code: number; probability: number } {
  if (value === undefined || value === null) return { code: defaultCode, probability: 0 };
  const { ErrorCode: code = defaultCode, Probability: probability = 0 } = value as Record<string, unknown>;
  if (!isWithin(code, 400, 599) || !isWithin(probability, 0, 100)) {
    throw new MayflyError(
      'invalid_parameter',
      `${name}: ErrorCode must be from 400 to 599, Probability from 0 to 100.`,
    );
  }
  return { code, probability };
}

function isWithin(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
}

function requireCapture(session: Session): void {
  if (isCapture(session)) return;
  throw new MayflyError('invalid_parameter', 'Chaos is not enabled: it is for capture sessions.');
}
