// `mayfly inbox new`: creates an inbox, and saves its token before printing its address.

import type { Capture, Inbox } from 'mayfly-client';

import { InboxUsageError } from './errors.ts';
import { chooseUrl, createClient, keep } from './find-inbox.ts';
import type { Given, InboxCall } from './inbox-call.ts';
import { parseDuration } from './parse-duration.ts';
import { toJson, toLine } from './terminal-text.ts';

export async function createInbox(call: InboxCall): Promise<void> {
  const { given, file } = call;
  for (const option of ['prefix', 'style'] as const) {
    if (given['capture'] === true && given[option] !== undefined) {
      throw new InboxUsageError(`--capture accepts no --${option}: it captures every name at its domain.`);
    }
  }
  const url = chooseUrl(call, given['url']?.toString());
  // Check that the file can be written before creating an inbox that would otherwise be lost.
  await file.change((all) => all);
  const inbox = await create(call, url);
  try {
    await keep(file, {
      url,
      email: inbox.email,
      token: inbox.token,
      expires_at: inbox.expiresAt.toISOString(),
      created_at: new Date().toISOString(),
    });
  } catch (error) {
    await inbox.end();
    throw error;
  }
  call.out.write(format(inbox, url, given));
}

function create(call: InboxCall, url: string): Promise<Inbox | Capture> {
  const { given } = call;
  const mayfly = createClient(call, url);
  const [domain, prefix] = [given['domain']?.toString(), given['prefix']?.toString()];
  const lifetimeMs = parseDuration(given['lifetime']);
  const options = {
    ...(domain === undefined ? {} : { domain }),
    ...(lifetimeMs === undefined ? {} : { lifetime: Math.ceil(lifetimeMs / 1000) }),
  };
  if (given['capture'] === true) return mayfly.createCapture(options);
  const style = given['style'] as 'words' | 'random' | undefined;
  return mayfly.createInbox({
    ...options,
    ...(prefix === undefined ? {} : { prefix }),
    ...(style === undefined ? {} : { style }),
  });
}

function format(inbox: Inbox | Capture, url: string, given: Given): string {
  const { email, token, expiresAt } = inbox;
  const isShown = given['show_token'] === true;
  if (given['json'] !== true) return `${[email, ...(isShown ? [token] : [])].map(toLine).join('\n')}\n`;
  const smtp = 'smtp' in inbox ? withoutPassword(inbox.smtp, isShown) : {};
  return `${toJson({ email, url, expiresAt, ...smtp, ...(isShown ? { token } : {}) })}\n`;
}

/** The password is the token. */
function withoutPassword({ host, port, username, password }: Capture['smtp'], isShown: boolean): object {
  return { smtp: { host, port, username, ...(isShown ? { password } : {}) } };
}
