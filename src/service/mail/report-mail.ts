// Reports what a message's sender would like to know before sending, and answers Mailpit's checks. Reading and judging
// take place in the reader threads; the message stays unread.

import type { MailReport } from '#mail-report/report';
import { isPublicAddress } from '#networks/public-address';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { OpenSession } from '../session/session-access.ts';
import { requesterOf } from '../session/turn-owner.ts';
import { authenticationWaitMs, loadParsedMail, type ParsedMail, type ReadMailDeps } from './read-mail.ts';

/** @throws MayflyError message_not_found; unavailable when the message cannot be read in time */
export async function reportMail(deps: ReadMailDeps, session: OpenSession, id: number): Promise<MailReport> {
  const { stored, parsed, meta } = await loadWhole(deps, session, id);
  const { subject, from, headers, text, hasPlainText, html, attachments } = parsed;
  const { remoteAddress } = meta.source;
  const report = await deps.parser.report(
    {
      subject,
      from,
      headers,
      text: hasPlainText ? text : null,
      html,
      attachments,
      sizeBytes: stored.sizeBytes,
      authentication: await deps.authentications.find(session, stored, authenticationWaitMs),
      isFromPrivateNetwork: remoteAddress !== '' && !isPublicAddress(remoteAddress),
    },
    requesterOf(session),
  );
  if (report === undefined) throw new MayflyError('unavailable', 'The report on the message took too long.');
  return report;
}

/**
 * Returns the check as JSON; undefined for HTML that is too large to be checked.
 * @throws MayflyError message_not_found; unavailable when the message cannot be read
 */
export async function checkForMailpit(
  deps: ReadMailDeps,
  session: OpenSession,
  { id, check }: { readonly id: number; readonly check: 'html' | 'links' },
): Promise<{ readonly hasHtml: boolean; readonly json: string | undefined }> {
  const { parsed } = await loadWhole(deps, session, id);
  const { html, text } = parsed;
  const json = await deps.parser.checkForMailpit(check, { html, text }, requesterOf(session));
  return { hasHtml: html !== null && html !== '', json };
}

/** An empty message would be judged wrongly. */
async function loadWhole(deps: ReadMailDeps, session: OpenSession, id: number): Promise<ParsedMail> {
  const mail = await loadParsedMail(deps, session, id);
  const { status, reason } = mail.parsed.parse;
  if (status !== 'failed') return mail;
  throw new MayflyError('unavailable', `The message cannot be read (${reason ?? ''}); its raw form can.`);
}
