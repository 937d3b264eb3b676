// The message as its sender laid it out, in a frame that may only open links in new windows, and as high as the
// message. No script of the sender runs in it; a script of ours reports the height.
import { type Signal, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

import type { FullMessage } from '../../api/answers.ts';
import { pressKeyInFrame } from '../../app/keyboard.ts';
import { type Reading, withFreshLinks } from '../../app/reading.ts';
import { reportError } from '../../app/report-fault.ts';
import { t } from '../../i18n/translate.ts';
import { createHeightKeeper, parseFrameMessage } from '../../state/mail/frame-message.ts';
import { toLinkDisplay } from '../../state/mail/link-display.ts';

export interface MessageFrameProps {
  readonly reading: Reading;
  readonly message: FullMessage;
  readonly hasImages: boolean;
}

export function MessageFrame({ reading, message, hasImages }: MessageFrameProps): VNode {
  // Kept as it was when opened: the same page with a new ticket would load again.
  const source = useSignal(toSource(message.html_url));
  const pointedAt = useSignal('');
  useEffect(() => {
    if (!hasImages) return;
    withFreshLinks(reading).then(({ html_url: url }) => {
      if (url !== null) source.value = `${toSource(url)}&remote=1`;
    }, reportError);
    // Runs once, when the reader allows the images.
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

/** The width of A4 and letter less their margins, at 96 dpi. */
const paperWidth = 680;

/** Scrolls whatever scrolls the frame, if a person has just clicked. */
function scrollToPlace(frame: HTMLIFrameElement, top: number): void {
  if (!('userActivation' in navigator && navigator.userActivation.isActive)) return;
  const place = document.createElement('span');
  place.className = 'frame-place';
  place.style.insetBlockStart = `${top}px`;
  frame.after(place);
  place.scrollIntoView();
  place.remove();
}

interface FrameProps {
  readonly source: string;
  /** The target of the link under the pointer; empty for none. */
  readonly pointedAt: Signal<string>;
}

function Frame({ source, pointedAt }: FrameProps): VNode {
  const frame = useRef<HTMLIFrameElement>(null);
  // Must listen before the frame loads: a height is reported only once.
  useLayoutEffect(() => {
    const keepHeight = createHeightKeeper();
    const take = ({ source: from, origin, data }: MessageEvent): void => {
      const { current: element } = frame;
      // A frame with an opaque origin has the origin "null".
      if (!element || from !== element.contentWindow || origin !== 'null') return;
      const report = parseFrameMessage(data);
      if (report?.kind === 'height') {
        const height = keepHeight(report.height);
        if (height !== null) element.style.minBlockSize = `${height}px`;
      } else if (report?.kind === 'link') {
        pointedAt.value = toLinkDisplay(report.url)?.href ?? '';
      } else if (report?.kind === 'jump') scrollToPlace(element, report.top);
      else if (report?.kind === 'key') pressKeyInFrame(report.key);
    };
    let before = '';
    // The frame cannot be measured for print, where it is narrower, so it gets ample room for the longer text.
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
