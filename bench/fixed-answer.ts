// The bare server's answer for a path, taken from the service, so that both send the same bytes.
import type { HttpAnswer } from './http-client.ts';

export interface FixedAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Fields that every node:http server adds. */
const ownFields = new Set(['date', 'connection', 'keep-alive']);

export function toFixedAnswer({ head, body }: HttpAnswer): FixedAnswer {
  const fields = head
    .split('\r\n')
    .slice(1)
    .map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    });
  return {
    headers: Object.fromEntries(fields.filter(([name]) => !ownFields.has(name.toLowerCase()))),
    body: Buffer.from(body, 'latin1').toString('utf8'),
  };
}
