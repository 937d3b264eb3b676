// The message as its sender laid it out, in a frame that has no rights but to open links in new windows, and as high as
// the message. Nothing of the sender's runs in it; the one script of ours tells how high the message is.
import { type Signal, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

import type { FullMessage } from '../api/answers.ts';
import { pressKeyInFrame } from '../app/keyboard.ts';
import { type Reading, withFreshLinks } from '../app/reading.ts';
import { reportError } from '../app/report-fault.ts';
import { t } from '../i18n/translate.ts';
import { createHeightKeeper, parseFrameMessage } from '../state/frame-message.ts';
import { toLinkDisplay } from '../state/link-display.ts';

export interface MessageFrameProps {
  readonly reading: Reading;
  readonly message: FullMessage;
  readonly hasImages: boolean;
}

export function MessageFrame({ reading, message, hasImages }: MessageFrameProps): VNode {
  // Kept as it was when it was opened: the same page under a fresh ticket would load anew.
  const source = useSignal(toSource(message.html_url));
  const pointedAt = useSignal('');
  useEffect(() => {
    if (!hasImages) return;
    withFreshLinks(reading).then(({ html_url: url }) => {
      if (url !== null) source.value = `${toSource(url)}&remote=1`;
    }, reportError);
    // Once, when the reader asks for them.
  }, [hasImages]);
  return (
    <div class="frame-box">
      {/* A frame of its own for each address: one that goes elsewhere would be an entry of the history. */}
      <Frame key={source.value} source={source.value} pointedAt={pointedAt} />
      {pointedAt.value !== '' && (
        <p class="link-target" dir="ltr" aria-hidden="true">
          {pointedAt.value}
        </p>
      )}
    </div>
  );
}

function toSource(url: string | null): string {
  return url === null ? '' : `${url}&sized=1`;
}

/** Of A4 and letter, less their margins, at 96 dpi. */
const paperWidth = 680;

interface FrameProps {
  readonly source: string;
  /** Where the link leads that is pointed at; empty for none. */
  readonly pointedAt: Signal<string>;
}

function Frame({ source, pointedAt }: FrameProps): VNode {
  const frame = useRef<HTMLIFrameElement>(null);
  // Before anything else can happen: a height that nobody hears is not told again.
  useLayoutEffect(() => {
    const keepHeight = createHeightKeeper();
    const take = ({ source: from, origin, data }: MessageEvent): void => {
      const { current: element } = frame;
      // A frame without an origin of its own has the word for none.
      if (!element || from !== element.contentWindow || origin !== 'null') return;
      const told = parseFrameMessage(data);
      if (told?.kind === 'height') {
        const height = keepHeight(told.height);
        if (height !== null) element.style.minBlockSize = `${height}px`;
      } else if (told?.kind === 'link') {
        pointedAt.value = toLinkDisplay(told.url)?.href ?? '';
      } else if (told?.kind === 'key') pressKeyInFrame(told.key);
    };
    let before = '';
    // Nothing can be asked of the frame in between, and on paper the message is narrower: room for its lines, in plenty.
    const widen = (): void => {
      const { current: element } = frame;
      if (!element) return;
      before = element.style.minBlockSize;
      const factor = Math.max(1, element.clientWidth / paperWidth);
      element.style.minBlockSize = `${Math.ceil((parseFloat(before) || 0) * factor)}px`;
    };
    const restore = (): void => {
      if (frame.current) frame.current.style.minBlockSize = before;
    };
    window.addEventListener('message', take);
    window.addEventListener('beforeprint', widen);
    window.addEventListener('afterprint', restore);
    return () => {
      window.removeEventListener('message', take);
      window.removeEventListener('beforeprint', widen);
      window.removeEventListener('afterprint', restore);
      pointedAt.value = '';
    };
  }, [pointedAt]);
  return (
    <iframe
      ref={frame}
      title={t('message.frame')}
      sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
      referrerpolicy="no-referrer"
      src={source}
    />
  );
}
