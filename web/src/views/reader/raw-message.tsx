// The raw bytes of a message, or its HTML as it was sent, up to a useful length.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';

import type { RawPart } from '../../api/operations.ts';
import { readRawStart, rawShownBytes } from '../../app/mail-files/raw-text.ts';
import type { Reading } from '../../app/reading.ts';
import { reportError } from '../../app/report-fault.ts';
import { t } from '../../i18n/translate.ts';
import { sizeWords } from '../parts/size-words.ts';

export interface RawMessageProps {
  readonly reading: Reading;
  readonly part: RawPart;
}

export function RawMessage({ reading, part }: RawMessageProps): VNode {
  const text = useSignal<string | null>(null);
  const { id, message } = reading;
  const { token } = reading.mailbox;
  useEffect(() => {
    const leaving = new AbortController();
    readRawStart(token, { id, part, signal: leaving.signal }).then(
      (found) => {
        text.value = found;
      },
      (error: unknown) => {
        if (!leaving.signal.aborted) reportError(error);
      },
    );
    return () => {
      leaving.abort();
    };
  }, [token, id, part, text]);
  const total = part === 'raw-mail' ? (message?.size ?? 0) : 0;
  if (text.value === null) return <p class="quiet-note">{t('app.loading')}</p>;
  return (
    <>
      <pre class="raw" dir="ltr">
        {text.value}
      </pre>
      {total > rawShownBytes && (
        <p class="quiet-note">
          {t('message.rawCut', { shown: sizeWords(rawShownBytes), total: sizeWords(total) })}
        </p>
      )}
    </>
  );
}
