// The files that came with a message, each with type and size as the sender claims and the service counted. They are
// saved; pictures are also shown, small.
import type { VNode } from 'preact';

import type { Attachment, FullMessage } from '../api/answers.ts';
import type { Reading } from '../app/reading.ts';
import { inBackground } from '../app/report-fault.ts';
import { saveAttachment } from '../app/saving.ts';
import { Icon } from '../icons/icon.tsx';
import { t, tn } from '../i18n/translate.ts';
import { toFileKind } from '../state/file-kind.ts';
import { sizeWords } from './size-words.ts';

export interface AttachmentsProps {
  readonly reading: Reading;
  readonly message: FullMessage;
}

export function Attachments({ reading, message }: AttachmentsProps): VNode | null {
  const { attachments } = message;
  if (attachments.length === 0) return null;
  return (
    <section class="attachments" aria-labelledby="attachments-title">
      <h3 id="attachments-title">{tn('message.attachments', attachments.length)}</h3>
      <ul>
        {attachments.map((attachment) => (
          <li key={attachment.id}>
            <File reading={reading} attachment={attachment} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function File({
  reading,
  attachment,
}: {
  readonly reading: Reading;
  readonly attachment: Attachment;
}): VNode {
  const name = attachment.filename || t('message.unnamed');
  const size = sizeWords(attachment.size);
  return (
    <a
      class="file"
      href={attachment.url}
      title={t('message.downloadFile', { name, size })}
      onClick={(event) => {
        event.preventDefault();
        inBackground(saveAttachment(reading, attachment.id));
      }}
    >
      {isPicture(attachment) ? (
        // Of the types that show nothing but a picture; the service checks that it is one.
        <img class="file-picture" src={toPicture(attachment.url)} alt="" />
      ) : (
        <Icon name="file" />
      )}
      <span class="file-words">
        <bdi class="file-name">{name}</bdi>
        <span class="file-about">
          {[toFileKind(attachment.filename, attachment.content_type), size].filter(Boolean).join(', ')}
        </span>
      </span>
      <Icon name="download" />
    </a>
  );
}

/** Larger ones are not fetched before they are asked for. */
const largestPicture = 5_000_000;

function isPicture({ content_type: type, size }: Attachment): boolean {
  return /^image\/(?:png|jpeg|gif|webp)$/.test(type) && size <= largestPicture;
}

/** The same part under the same ticket, to be shown rather than saved. */
function toPicture(url: string): string {
  return url.replace('/attachment?', '/inline-image?');
}
