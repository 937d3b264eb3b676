// Sessions with mail in them, for measuring reads. The mail is delivered over SMTP.
import { formatRequest, openHttpClient } from './http-client.ts';
import { multipartMessage } from './sample-message.ts';
import { domain, type ServiceProcess } from './service-process.ts';
import { createSessions } from './sessions.ts';
import { connectSmtp, withEndOfData } from './smtp-client.ts';

export interface Mailbox {
  readonly token: string;
  /** Ids of its messages, newest first. */
  readonly ids: readonly number[];
}

/** Messages in each mailbox. */
export const mailboxMessages = 20;
const connections = 20;

/** Creates sessions and delivers 20 messages of 4 KB to each. @throws Error unless each then lists 20 */
export async function fillMailboxes(service: ServiceProcess, count: number): Promise<readonly Mailbox[]> {
  const toPrefix = (index: number): string => `box${index}`;
  const sessions = await createSessions(service.httpPort, count, toPrefix);
  const message = withEndOfData(multipartMessage());
  let next = 0;
  const send = async (): Promise<void> => {
    const client = await connectSmtp(service.smtpPort);
    for (let mail = next++; mail < count * mailboxMessages; mail = next++) {
      await client.deliver(`${toPrefix(mail % count)}@${domain}`, message);
    }
    await client.quit();
  };
  await Promise.all(Array.from({ length: connections }, send));
  const client = openHttpClient(service.httpPort);
  const mailboxes: Mailbox[] = [];
  for (const { token } of sessions) {
    const { body } = await client.exchange(formatRequest('GET', '/check-mail', token));
    const { messages = [] } = JSON.parse(body) as { messages?: readonly { id: number }[] };
    if (messages.length !== mailboxMessages) {
      throw new Error(`A list of ${mailboxMessages} expected: ${body}`);
    }
    mailboxes.push({ token, ids: messages.map(({ id }) => id) });
  }
  client.close();
  return mailboxes;
}
