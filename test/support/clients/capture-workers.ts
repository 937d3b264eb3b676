// Workers of a test run that share one service: each has a capture session, sends to the same addresses as all others
// at the same time, and reads its mail through every interface.

import type { MayflyProcess } from '../service/mayfly-process.ts';
import { connectGreeted, sendMail, type SmtpClient } from '../smtp/smtp-client.ts';

interface Worker {
  readonly token: string;
  readonly smtp: { readonly username: string };
  /** Domain of its label. */
  readonly domain: string;
  readonly client: SmtpClient;
  /** Subjects of its own mail. */
  readonly sent: string[];
}

/** Returns subjects, in any order. */
type Reader = (mayfly: MayflyProcess, worker: Worker) => Promise<string[]>;

async function askJson<T>(url: string, init: RequestInit): Promise<T> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

function bearer({ token }: Worker): { readonly headers: Record<string, string> } {
  return { headers: { authorization: `Bearer ${token}` } };
}

/** Interface → how its clients list mail. */
const readers: Readonly<Record<string, Reader>> = {
  mayfly: async (mayfly, { token }) => (await mayfly.checkMail(token)).map(({ subject }) => subject),
  mailpit: async (mayfly, worker) => {
    const url = `${mayfly.compatOrigin}/api/v1/messages?limit=100`;
    const { messages } = await askJson<{ messages: { Subject: string }[] }>(url, bearer(worker));
    return messages.map(({ Subject: subject }) => subject);
  },
  mailhog: async (mayfly, worker) => {
    const url = `${mayfly.compatOrigin}/api/v2/messages?limit=100`;
    const { items } = await askJson<{ items: { Content: { Headers: { Subject: string[] } } }[] }>(
      url,
      bearer(worker),
    );
    return items.flatMap(({ Content: { Headers: headers } }) => headers.Subject);
  },
  mailosaur: async (mayfly, { token, smtp }) => {
    const { items } = await askJson<{ items: { subject: string }[] }>(
      `${mayfly.compatOrigin}/api/messages/search?server=${smtp.username}`,
      {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ subject: 'worker' }),
      },
    );
    return items.map(({ subject }) => subject);
  },
};

/** Sends two mails per worker with its login to a common address, and one to its own label. */
export async function startWorkers(mayfly: MayflyProcess, count: number): Promise<readonly Worker[]> {
  const numbers = Array.from({ length: count }, (_, number) => number);
  const workers = await Promise.all(numbers.map(() => startWorker(mayfly)));
  await Promise.all(workers.map((worker, number) => send(worker, number)));
  return workers;
}

async function startWorker(mayfly: MayflyProcess): Promise<Worker> {
  const url = `${mayfly.origin}/create-session`;
  const lent = await askJson<Pick<Worker, 'token' | 'smtp'> & { readonly email: string }>(url, {
    method: 'POST',
    body: new URLSearchParams({ capture: '1' }),
  });
  const { client } = await connectGreeted(mayfly.smtpPort);
  await client.command('EHLO worker.test');
  const { token, smtp } = lent;
  const login = Buffer.from(`\0${smtp.username}\0${token}`).toString('base64');
  const reply = await client.command(`AUTH PLAIN ${login}`);
  if (!reply.startsWith('235')) throw new Error(`AUTH got ${reply}`);
  return { token, smtp, domain: lent.email.slice('*@'.length), client, sent: [] };
}

async function send({ client, domain, sent }: Worker, number: number): Promise<void> {
  for (const [mail, recipient] of ['user@shop.example', `user@${domain}`, 'user@shop.example'].entries()) {
    const subject = `worker ${number} mail ${mail}`;
    const reply = await sendMail(client, `Subject: ${subject}\r\n\r\n${subject}\r\n`, recipient);
    if (!reply.startsWith('250')) throw new Error(`A mail got ${reply}`);
    sent.push(subject);
  }
}

/** Returns, per worker and interface, lists that differ from what it sent; empty if none sees another's mail. */
export async function findCrossings(
  mayfly: MayflyProcess,
  workers: readonly Worker[],
): Promise<readonly string[]> {
  const found = await Promise.all(
    workers.flatMap((worker) =>
      Object.entries(readers).map(async ([name, read]) => {
        const subjects = (await read(mayfly, worker)).sort();
        const isOwn = subjects.join('\n') === worker.sent.toSorted().join('\n');
        return isOwn ? [] : [`${name}: ${worker.sent.join(', ')} were sent, ${subjects.join(', ')} are read`];
      }),
    ),
  );
  return found.flat();
}

/** Each worker deletes all of its mail through a dialect whose calls have no ids. */
export async function deleteAll(mayfly: MayflyProcess, workers: readonly Worker[]): Promise<void> {
  await Promise.all(
    workers.map(async (worker) => {
      const url = `${mayfly.compatOrigin}/api/v1/messages`;
      const response = await fetch(url, { method: 'DELETE', ...bearer(worker) });
      if (!response.ok) throw new Error(`DELETE got ${response.status}`);
      worker.sent.length = 0;
    }),
  );
}
