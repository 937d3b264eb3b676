// Runs a table of the documented fields of a call: each is either in the mail, or refused in the service's own form.

import { expect, it } from 'vitest';

import type { HttpAnswer } from '../http-harness.ts';
import { openSender, type SeenMail, type SenderFixture } from './open-sender.ts';

export interface FieldCase {
  readonly field: string;
  /** The body of the call with it. */
  readonly body: unknown;
  /** Parts of the mail in which it is seen. */
  readonly mail?: Partial<Record<keyof SeenMail, unknown>>;
  /** Header fields by name. */
  readonly shown?: Readonly<Record<string, unknown>>;
  /** Part of the JSON of the error. */
  readonly refused?: { readonly status: number; readonly json: unknown };
  readonly status?: number;
}

export interface CallTable {
  readonly path: string;
  readonly credentials: Parameters<typeof openSender>[0];
  readonly status: number;
  readonly cases: readonly FieldCase[];
  readonly headers?: Readonly<Record<string, string>>;
}

export function testFields({ path, credentials, status, cases, headers = {} }: CallTable): void {
  it(`of ${path} are kept and shown, or refused`, async () => {
    const sender = await openSender(credentials);
    for (const one of cases) {
      const before = await sender.count();
      const answer = await sender.post(path, one.body, headers);
      const { field, refused } = one;
      if (refused) {
        const error = expect.objectContaining(refused.json as object);
        expect([field, answer.status, answer.json]).toEqual([field, refused.status, error]);
      } else expect([field, answer.status, answer.text]).toEqual([field, one.status ?? status, answer.text]);
      expect([field, await sender.count()]).toEqual([field, refused ? before : before + 1]);
      if (!refused) expectShown(await sender.newest(), one);
    }
  });
}

function expectShown(mail: SeenMail | undefined, { field, mail: parts = {}, shown = {} }: FieldCase): void {
  expect({ field, ...mail }).toMatchObject({ field, ...parts });
  for (const [name, value] of Object.entries(shown)) {
    const [text = ''] = mail?.headers[name] ?? [];
    expect([name, typeof value === 'string' ? text : parse(text)]).toEqual([name, value]);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Texts that would add a header field or end the header if they were written as they are. */
export const injections = [
  'a\r\nBcc: x@evil.example',
  'a\nX-Evil: 1',
  'a\r\n\r\n<b>evil</b>',
  'a\rX-Evil: 1',
  'a\u0000b',
];

/** Expects that no header of a stored mail has been added by a text. */
export async function expectNoInjection(sender: SenderFixture, answer: HttpAnswer): Promise<void> {
  expect(answer.status).toBeLessThan(500);
  const mail = await sender.newest();
  if (mail) {
    expect(Object.keys(mail.headers)).not.toContain('X-Evil');
    expect(mail.rcptTo).not.toContain('x@evil.example');
    expect(mail.HTML).not.toContain('evil');
    expect(mail.Text).not.toContain('evil');
  }
}
