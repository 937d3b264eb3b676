// Answers shared by several of Mailpit's routes.

import type { Answer } from '#http-parts/answer';

export const jsonHeaders = { 'content-type': 'application/json' };
export const textHeaders = { 'content-type': 'text/plain; charset=utf-8' };

export const ok: Answer = { headers: textHeaders, body: 'ok' };

/** In Mailpit's own words, where it gives a reason with 404. */
export function notHere(reason: string): Answer {
  return { status: 404, headers: textHeaders, body: reason };
}

export function refused(reason: string): Answer {
  return { status: 400, headers: textHeaders, body: reason };
}
