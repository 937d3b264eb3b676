// The message as its sender laid it out, in a frame that has no rights but to open links in new windows: no scripts, no
// origin. Its height is the reader's choice, since nothing in it may be measured.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';

import type { FullMessage } from '../api/answers.ts';
import { type Reading, withFreshLinks } from '../app/reading.ts';
import { inBackground } from '../app/report-fault.ts';
import { Icon } from '../icons/icon.tsx';
import { t, tn } from '../i18n/translate.ts';

export interface MessageFrameProps {
  readonly reading: Reading;
  readonly message: FullMessage;
}

export function MessageFrame({ reading, message }: MessageFrameProps): VNode {
  // Kept as it was when it was opened: the same page under a fresh ticket would load anew.
  const source = useSignal(message.html_url ?? '');
  const hasImages = useSignal(false);
  const isLarge = useSignal(false);
  const loadImages = async (): Promise<void> => {
    const { html_url: url } = await withFreshLinks(reading);
    if (url === null) return;
    source.value = `${url}&remote=1`;
    hasImages.value = true;
  };
  const isBlocked = message.remote_content > 0 && !hasImages.value;
  return (
    <div
      class={`frame${isLarge.value ? ' is-large' : ''}`}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isLarge.value) return;
        event.preventDefault();
        isLarge.value = false;
      }}
    >
      <div class="frame-bar">
        {isBlocked && (
          <Blocked
            count={message.remote_content}
            onLoad={() => {
              inBackground(loadImages());
            }}
          />
        )}
        <button
          type="button"
          class="button is-quiet is-small frame-size"
          aria-pressed={isLarge.value}
          onClick={() => {
            isLarge.value = !isLarge.value;
          }}
        >
          <Icon name={isLarge.value ? 'shrink' : 'expand'} />
          <span>{isLarge.value ? t('message.shrink') : t('message.expand')}</span>
        </button>
      </div>
      <div class="frame-box">
        <iframe
          title={t('message.frame')}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          referrerpolicy="no-referrer"
          src={source.value}
        />
      </div>
    </div>
  );
}

/** What was kept out, and the choice to let it in. */
function Blocked({ count, onLoad }: { readonly count: number; readonly onLoad: () => void }): VNode {
  return (
    <>
      <div class="blocked">
        <Icon name="image" />
        <span>{tn('message.blocked', count)}</span>
      </div>
      <button type="button" class="button is-small" onClick={onLoad}>
        {t('message.loadImages')}
      </button>
    </>
  );
}
