// The built service with its dialects, for clients of senders: inboxes, and the mails in them.

import { createDataFolder, type FullMail, startMayfly } from '../service/mayfly-process.ts';

export interface SentMail extends Omit<FullMail, 'envelope'> {
  readonly html: string | null;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly reply_to: readonly { readonly name: string; readonly email: string }[];
  readonly envelope: FullMail['envelope'] & { readonly rcpt_to: readonly string[] };
}

export interface SenderInbox {
  readonly token: string;
  /** Oldest first. */
  mails(): Promise<readonly SentMail[]>;
}

export interface SenderService {
  /** The listener for dialects. */
  readonly origin: string;
  /** Mayfly's own interface. */
  readonly ownOrigin: string;
  openInbox(): Promise<SenderInbox>;
  rawOf(token: string, id: number): Promise<string>;
  /** Values by names in lower case. */
  headersOf(mail: SentMail | undefined): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function openSenderService(
  settings: Readonly<Record<string, string>> = {},
): Promise<SenderService> {
  const data = await createDataFolder();
  const ports = { MAYFLY_COMPAT_PORT: '0', MAYFLY_LIMITS_RATE: 'off' };
  const mayfly = await startMayfly(data.path, { ...ports, ...settings });

  async function getText(path: string, token: string): Promise<string> {
    const answer = await fetch(mayfly.origin + path, { headers: { authorization: `Bearer ${token}` } });
    return answer.text();
  }

  async function get<T>(path: string, token: string): Promise<T> {
    return JSON.parse(await getText(path, token)) as T;
  }

  async function listMails(token: string): Promise<readonly SentMail[]> {
    const { messages } = await get<{ messages: readonly { id: number }[] }>('/check-mail', token);
    const mails: SentMail[] = [];
    for (const { id } of [...messages].reverse()) {
      mails.push((await get<{ message: SentMail }>(`/read-mail?id=${id}`, token)).message);
    }
    return mails;
  }

  return {
    origin: mayfly.compatOrigin ?? '',
    ownOrigin: mayfly.origin,
    openInbox: async () => {
      const { token } = await mayfly.lend({ capture: '1' });
      return { token, mails: () => listMails(token) };
    },
    rawOf: (token, id) => getText(`/raw-mail?id=${id}`, token),
    headersOf: (mail) =>
      Object.fromEntries((mail?.headers ?? []).map(({ name, value }) => [name.toLowerCase(), value])),
    close: async () => {
      await mayfly.stop();
      await data.remove();
    },
  };
}
