// The policy by which senders are to insist on TLS with a valid certificate (RFC 8461 §3.2). The same for every domain,
// since all have this server as their exchange.

import type { Answer } from './answer.ts';

export const mtaStsPath = '/.well-known/mta-sts.txt';

export interface MtaStsPolicy {
  readonly mode: 'testing' | 'enforce';
  /** The name that MX records give. */
  readonly exchange: string;
}

/** Short, so that a mistake is forgotten soon; senders ask again before it ends. */
const ageMaxSeconds = 7 * 86_400;

export function answerMtaSts({ mode, exchange }: MtaStsPolicy): Answer {
  const lines = ['version: STSv1', `mode: ${mode}`, `mx: ${exchange}`, `max_age: ${ageMaxSeconds}`];
  return {
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: lines.map((line) => `${line}\r\n`).join(''),
  };
}
