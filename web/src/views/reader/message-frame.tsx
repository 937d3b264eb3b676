// The message as its sender laid it out, in a frame that may only open links in new windows, and as high as the
// message. No script of the sender runs in it; one of ours reports the height, and shows the message as the page wishes.
import { type Signal, useSignal } from '@preact/signals';
import type { RefObject, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

import type { FullMessage } from '../../api/answers.ts';
import { isDark } from '../../app/dark.ts';
import { pressKeyInFrame } from '../../app/keyboard.ts';
import { type Reading, withFreshLinks } from '../../app/reading.ts';
import { logFault, reportError } from '../../app/report-fault.ts';
import { loadMoreTexts, t } from '../../i18n/translate.ts';
import { createHeightKeeper, type FrameWish, parseFrameMessage } from '../../state/mail/frame-message.ts';
import { toLinkDisplay } from '../../state/mail/link-display.ts';
import { usefulCodes, usefulLinks } from '../../state/mail/useful-finds.ts';
import { doubtLink } from '../../app/doubting.ts';
import { lazyWithTexts } from '../parts/lazy.tsx';
import type { FrameState } from './frame-state.ts';

const FrameTools = lazyWithTexts(async () => (await import('./frame-tools.tsx')).FrameTools);

export interface MessageFrameProps {
  readonly reading: Reading;
  readonly message: FullMessage;
  readonly hasImages: boolean;
}

export function MessageFrame({ reading, message, hasImages }: MessageFrameProps): VNode {
  // Kept as it was when opened: the same page with a new ticket would load again.
  const source = useSignal(toSource(message.html_url));
  const pointedAt = useSignal('');
  const state: FrameState = {
    isDark: useSignal(isDark.peek()),
    isSmall: useSignal(false),
    wish: useSignal<FrameWish>({ scheme: 'auto', isReadable: true }),
    width: useSignal<number | null>(null),
  };
  useEffect(() => {
    if (!hasImages) return;
    withFreshLinks(reading).then(({ html_url: url }) => {
      if (url !== null) source.value = `${toSource(url)}&remote=1`;
    }, reportError);
    // Runs once, when the reader allows the images.
  }, [hasImages]);
  const isForTesters = reading.mailbox.isCapture;
  return (
    <>
      {(isForTesters || isDark.value || state.isSmall.value) && (
        // Has its height before its content is loaded.
        <div class="frame-tools">
          <FrameTools state={state} isForTesters={isForTesters} />
        </div>
      )}
      <div
        class={`frame-box${state.isDark.value ? ' is-dark' : ''}${state.width.value === null ? '' : ' is-narrow'}`}
      >
        {/* A frame of its own for each address: one that goes elsewhere would be an entry of the history. */}
        <Frame
          key={source.value}
          source={source.value}
          pointedAt={pointedAt}
          state={state}
          message={message}
        />
        {pointedAt.value !== '' && (
          <p class="link-target" dir="ltr" aria-hidden="true">
            {pointedAt.value}
          </p>
        )}
      </div>
    </>
  );
}

function toSource(url: string | null): string {
  return url === null ? '' : `${url}&sized=1${isDark.peek() ? '&dark=1' : ''}`;
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

/** The frame cannot be measured for print, where it is narrower, so it gets ample room for the longer text. */
function usePrintRoom(frame: RefObject<HTMLIFrameElement | null>): void {
  useEffect(() => {
    let before = '';
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
    window.addEventListener('beforeprint', widen);
    window.addEventListener('afterprint', restore);
    return () => {
      window.removeEventListener('beforeprint', widen);
      window.removeEventListener('afterprint', restore);
    };
  }, [frame]);
}

interface FrameProps {
  readonly source: string;
  /** The target of the link under the pointer; empty for none. */
  readonly pointedAt: Signal<string>;
  readonly state: FrameState;
  readonly message: FullMessage;
}

function Frame({ source, pointedAt, state, message }: FrameProps): VNode {
  const frame = useRef<HTMLIFrameElement>(null);
  usePrintRoom(frame);
  const { scheme, isReadable } = state.wish.value;
  const shown = isDark.value ? scheme : 'light';
  const { width } = state;
  const show = (): void => {
    const codes = usefulCodes(message).map(({ value }) => value);
    const links = usefulLinks(message).map(({ url }) => toLinkDisplay(url)?.href);
    // Its origin is opaque, and the message has nothing that the sender may not know.
    frame.current?.contentWindow?.postMessage(
      { kind: 'show', scheme: shown, isReadable, quoted: t('mail.quoted'), codes, links },
      '*',
    );
  };
  useEffect(show, [shown, isReadable]);
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
      else if (report?.kind === 'scheme') state.isDark.value = report.isDark;
      // Once a wide message is shown as it was sent, the way back must stay.
      else if (report?.kind === 'fit') state.isSmall.value ||= report.isSmall;
      else if (report?.kind === 'doubt') doubtLink(report.url, message);
    };
    window.addEventListener('message', take);
    return () => {
      window.removeEventListener('message', take);
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
      style={width.value === null ? undefined : { maxInlineSize: `${width.value}px` }}
      onLoad={() => {
        loadMoreTexts().then(show, logFault);
      }}
    />
  );
}
