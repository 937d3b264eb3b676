// Makes reports and Mailpit's checks. What they need, tables of mail programs above all, is loaded by the threads that
// make them.

import type { MailReport } from '../../mail-report/src/report.ts';
import type { ReportInput } from '../../mail-report/src/report-input.ts';
import type { Bodies } from './reader-protocol.ts';

export async function makeReport(input: ReportInput): Promise<MailReport> {
  const { createReport } = await import('../../mail-report/src/report.ts');
  return createReport(input);
}

/** Returns JSON; undefined for HTML that is too large to be checked. */
export async function makeMailpitCheck(check: 'html' | 'links', bodies: Bodies): Promise<string | undefined> {
  const { checkHtmlForMailpit, checkLinksForMailpit } = await import('../../mail-report/src/mailpit.ts');
  const found = check === 'html' ? checkHtmlForMailpit(bodies.html ?? '') : checkLinksForMailpit(bodies);
  return found && JSON.stringify(found);
}
