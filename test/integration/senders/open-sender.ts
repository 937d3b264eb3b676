// Calls a sender's interface as its clients do, and reads what was stored through Mailpit's dialect.

import type { OpenSession } from '../../../src/service/session/session-access.ts';
import { MailpitIds } from '../../../src/compat/mailpit/ids.ts';
import { bearer, type CompatHarnessOptions, startCompat } from '../compat-harness.ts';
import { ask, type Harness, type HttpAnswer } from '../http-harness.ts';

interface Person {
  readonly Name: string;
  readonly Address: string;
}

interface File {
  readonly FileName: string;
  readonly ContentType: string;
  readonly ContentID: string;
  readonly Size: number;
}

/** A stored mail. */
export interface SeenMail {
  readonly From: Person;
  readonly To: readonly Person[];
  readonly Cc: readonly Person[];
  readonly Bcc: readonly Person[];
  readonly ReplyTo: readonly Person[];
  readonly Subject: string;
  readonly Text: string;
  readonly HTML: string;
  readonly Attachments: readonly File[];
  readonly Inline: readonly File[];
  /** Values by name. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly raw: string;
  readonly rcptTo: readonly string[];
}

export interface SenderFixture {
  readonly harness: Harness;
  readonly token: string;
  readonly session: OpenSession;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<HttpAnswer>;
  /** Oldest first. */
  mails(): Promise<readonly SeenMail[]>;
  /** Undefined without any. */
  newest(): Promise<SeenMail | undefined>;
  /** How many mails have been stored. */
  count(): Promise<number>;
}

/** `credentials` makes the header field of a token. */
export async function openSender(
  credentials: (token: string) => Readonly<Record<string, string>>,
  options: CompatHarnessOptions = {},
): Promise<SenderFixture> {
  const harness = await startCompat(options);
  const { token, session } = await harness.services.createCaptureSession({});
  const live = await harness.services.authenticateToken(token);
  const get = (path: string): Promise<HttpAnswer> => ask(harness, path, { headers: bearer(token) });
  const ids = new MailpitIds(session);

  async function see(id: number): Promise<SeenMail> {
    const path = `/api/v1/message/${ids.toId(id)}`;
    const [message, raw] = [await get(path), await get(`${path}/raw`)];
    const { meta, parsed } = await harness.services.loadParsedMail(live.session, id);
    const { rcptTo } = meta.envelope;
    return { ...message.json, headers: byName(parsed.headers), raw: raw.text, rcptTo } as SeenMail;
  }

  async function listIds(): Promise<readonly number[]> {
    const { session } = await harness.services.authenticateToken(token);
    return (await harness.services.checkMail(session)).map(({ id }) => id).reverse();
  }

  return {
    harness,
    token,
    session: live.session,
    post: (path, body, headers = {}) => {
      const isText = typeof body === 'string' || Buffer.isBuffer(body);
      const fields = { 'content-type': 'application/json', ...credentials(token), ...headers };
      return ask(harness, path, {
        method: 'POST',
        headers: fields,
        body: isText ? body : JSON.stringify(body),
      });
    },
    mails: async () => {
      const seen: SeenMail[] = [];
      for (const id of await listIds()) seen.push(await see(id));
      return seen;
    },
    newest: async () => {
      const id = (await listIds()).at(-1);
      return id === undefined ? undefined : see(id);
    },
    count: async () => (await listIds()).length,
  };
}

/** Decoded values, by names with capitals after dashes. */
function byName(fields: readonly { readonly name: string; readonly value: string }[]): SeenMail['headers'] {
  const values: Record<string, string[]> = {};
  for (const { name, value } of fields) {
    const key = name.toLowerCase().replace(/(?<=^|-)./g, (letter) => letter.toUpperCase());
    (values[key] ??= []).push(value);
  }
  return values;
}
