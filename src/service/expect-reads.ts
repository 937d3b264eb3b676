// Tells the threads that read messages that one may come or be opened soon: most installations get a mail every few
// minutes, so nearly every look would find them ended. They are kept while a session lives that was lent, opened or sent
// mail since the start.
import type { Session } from '../domain/session.ts';

/** What is faster at reading a message when told before that one may be opened. Cheap. */
interface ReadExpecter {
  expectReads(keepMs?: number): void;
}

export interface ReadThreads {
  readonly parser: ReadExpecter;
  readonly sanitiser: ReadExpecter;
}

export interface MailThreads extends ReadThreads {
  readonly glances: { expect(keepMs?: number): void };
}

/** A message is shown that has not been read. */
export function expectReads({ parser, sanitiser }: ReadThreads): void {
  parser.expectReads();
  sanitiser.expectReads();
}

/** A session is lent, its list is opened, or mail comes for it. Cheap: called for each recipient. */
export function expectMail({ glances, parser, sanitiser }: MailThreads, { expiresAt }: Session): void {
  const keepMs = expiresAt - Date.now();
  if (keepMs <= 0) return;
  glances.expect(keepMs);
  parser.expectReads(keepMs);
  sanitiser.expectReads(keepMs);
}
