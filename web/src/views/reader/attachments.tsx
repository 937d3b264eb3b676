// A message's attachments, with the type and name given by the sender and the size counted by the service. They can be
// saved; pictures are also shown, small or in full, and PDF documents opened by the browser.
import type { VNode } from 'preact';

import type { Attachment } from '../../api/answers.ts';
import { openDocument, showPicture, toShown } from '../../app/previewing.ts';
import type { Reading } from '../../app/reading.ts';
import { inBackground } from '../../app/report-fault.ts';
import { saveAttachment } from '../../app/mail-files/saving.ts';
import { Icon } from '../../icons/icon.tsx';
import { t, tn } from '../../i18n/translate.ts';
import { toFileKind } from '../../state/mail/file-kind.ts';
import { sizeWords } from '../parts/size-words.ts';

export interface AttachmentsProps {
  readonly reading: Reading;
  readonly attachments: readonly Attachment[];
}

export function Attachments({ reading, attachments }: AttachmentsProps): VNode | null {
  if (attachments.length === 0) return null;
  return (
    <section class="attachments" aria-labelledby="attachments-title">
      <h3 id="attachments-title">{tn('message.attachments', attachments.length)}</h3>
      <ul>
        {attachments.map((attachment) => (
          <li key={attachment.id} class="file-box">
            <File reading={reading} attachment={attachment} />
            {!reading.isKept && <Preview reading={reading} attachment={attachment} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface FileProps {
  readonly reading: Reading;
  readonly attachment: Attachment;
}

/** Shows the attachment without saving it. */
function Preview({ reading, attachment }: FileProps): VNode | null {
  const label = t('preview.show', { name: attachment.filename || t('message.unnamed') });
  if (isPicture(attachment)) {
    return (
      <button
        type="button"
        class="icon-button"
        aria-label={label}
        title={label}
        onClick={() => {
          inBackground(showPicture(reading, attachment));
        }}
      >
        <Icon name="eye" />
      </button>
    );
  }
  if (!isDocument(attachment)) return null;
  return (
    <a
      class="icon-button"
      href={toShown(attachment.url)}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={t('preview.document')}
      title={label}
      onClick={(event) => {
        openDocument(event, reading, attachment);
      }}
    >
      <Icon name="eye" />
    </a>
  );
}

function File({ reading, attachment }: FileProps): VNode {
  const name = attachment.filename || t('message.unnamed');
  const size = sizeWords(attachment.size);
  const kind = toFileKind(attachment.filename, attachment.content_type);
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
      {isPicture(attachment) && !reading.isKept ? (
        // The service serves nothing but pictures here.
        <img class="file-picture" src={toShown(attachment.url)} alt="" />
      ) : (
        <Icon name="file" />
      )}
      <span class="file-words">
        <bdi class="file-name">{name}</bdi>
        <span class="file-about">
          {kind !== '' && (
            <>
              <bdi>{kind}</bdi>
              {', '}
            </>
          )}
          <bdi>{size}</bdi>
        </span>
      </span>
      <Icon name="download" />
    </a>
  );
}

/** Judged by the sender's claims; the service verifies how the file begins. */
function isDocument({ content_type: type, filename }: Attachment): boolean {
  return type === 'application/pdf' || (type === 'application/octet-stream' && /\.pdf$/i.test(filename));
}

/** Larger pictures are fetched only on request. */
const largestPicture = 5_000_000;

function isPicture({ picture_type: type, size }: Attachment): boolean {
  return type !== null && size <= largestPicture;
}
