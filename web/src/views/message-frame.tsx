// The message as its sender laid it out, in a frame that has no rights but to open links in new windows: no scripts, no
// origin.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';

import type { FullMessage } from '../api/answers.ts';
import { type Reading, withFreshLinks } from '../app/reading.ts';
import { reportError } from '../app/report-fault.ts';
import { t } from '../i18n/translate.ts';

export interface MessageFrameProps {
  readonly reading: Reading;
  readonly message: FullMessage;
  readonly hasImages: boolean;
}

export function MessageFrame({ reading, message, hasImages }: MessageFrameProps): VNode {
  // Kept as it was when it was opened: the same page under a fresh ticket would load anew.
  const source = useSignal(message.html_url ?? '');
  useEffect(() => {
    if (!hasImages) return;
    withFreshLinks(reading).then(({ html_url: url }) => {
      if (url !== null) source.value = `${url}&remote=1`;
    }, reportError);
    // Once, when the reader asks for them.
  }, [hasImages]);
  return (
    <div class="frame-box">
      {/* A frame of its own for each address: one that goes elsewhere would be an entry of the history. */}
      <iframe
        key={source.value}
        title={t('message.frame')}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        referrerpolicy="no-referrer"
        src={source.value}
      />
    </div>
  );
}
