// Saves a message or an attachment: the browser follows a link with a ticket, which is renewed when expired. The token
// is never part of such a link.
import type { FullMessage } from '../../api/answers.ts';
import { type Reading, withFreshLinks } from '../reading.ts';

/** @throws ApiError */
export async function saveRawMail(reading: Reading): Promise<void> {
  save((await withFreshLinks(reading)).raw_url);
}

/** @throws ApiError */
export async function saveAttachment(reading: Reading, attachmentId: string): Promise<void> {
  const fresh: FullMessage = await withFreshLinks(reading);
  const attachment = fresh.attachments.find(({ id }) => id === attachmentId);
  if (attachment) save(attachment.url);
}

/** The service answers with a file name and as a download. */
function save(path: string): void {
  const link = document.createElement('a');
  link.href = path;
  link.download = '';
  link.click();
}
