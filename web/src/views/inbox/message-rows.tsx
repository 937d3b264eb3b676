// The rows of the list. The first of them are drawn at once and the others in groups, after a paint each, so that a list
// of a thousand messages answers as quickly as a short one.
import type { RefObject, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { MessageSummary } from '../../api/answers.ts';
import { afterPaint } from '../../app/after-paint.ts';
import { settle } from '../../app/arrivals.ts';
import { rowsAtOnce } from '../../app/choosing.ts';
import { isTyping } from '../../app/keyboard.ts';
import { openMessageId, selectedId } from '../../app/navigation.ts';
import { logFault } from '../../app/report-fault.ts';
import { cancelPrefetch, prefetchSoon } from '../../app/prefetching.ts';
import type { Mailbox } from '../../state/mailbox.ts';
import { focusRow, idAt, MessageRow } from './message-row.tsx';

export interface MessageRowsProps {
  readonly mailbox: Mailbox;
  readonly messages: readonly MessageSummary[];
}

export function MessageRows({ mailbox, messages }: MessageRowsProps): VNode {
  const drawn = useRef(0);
  const [, drawRest] = useState(0);
  const isMuch = messages.length > drawn.current + rowsAtOnce;
  const count = isMuch ? drawn.current + rowsAtOnce : messages.length;
  useEffect(() => {
    if (!isMuch) {
      drawn.current = count;
      return undefined;
    }
    return afterPaint(() => {
      drawn.current = count;
      drawRest((turn) => turn + 1);
    });
  });
  const list = useRef<HTMLUListElement>(null);
  useTouch(list, mailbox);
  // The handlers are here and not on each of a thousand rows.
  return (
    <ul
      ref={list}
      class="rows"
      onAnimationEnd={({ target }) => {
        if (!(target instanceof HTMLElement)) return;
        settle(mailbox, Number(target.dataset['id']));
        // Not by rendering, which would keep the row's former nodes until the list is rendered.
        target.classList.remove('is-fresh');
      }}
      onFocusIn={({ target }) => {
        const id = idAt(target);
        if (!id) return;
        selectedId.value = id;
        prefetchSoon(mailbox, id);
      }}
      onPointerOver={({ pointerType, target }) => {
        const id = idAt(target);
        if (pointerType === 'mouse' && id) prefetchSoon(mailbox, id);
      }}
      onPointerOut={cancelPrefetch}
      onFocusOut={cancelPrefetch}
    >
      {messages.slice(0, count).map((message, at) => (
        <MessageRow
          key={message.id}
          mailbox={mailbox}
          message={message}
          group={Math.floor(at / rowsAtOnce)}
        />
      ))}
      <FocusFollower list={list} />
    </ul>
  );
}

function useTouch(list: RefObject<HTMLElement | null>, mailbox: Mailbox): void {
  useEffect(() => {
    if (!matchMedia('(any-pointer: coarse)').matches) return undefined;
    let stop = (): void => undefined;
    let isLeft = false;
    const start = async (): Promise<void> => {
      const { startTouch } = await import('../../app/later/swiping.ts');
      if (!isLeft && list.current) stop = startTouch(list.current, mailbox);
    };
    start().catch(logFault);
    return () => {
      isLeft = true;
      stop();
    };
  }, [list, mailbox]);
}

/**
 * Moves the focus when the keyboard's position changes and when the open message is closed, but never out of a field:
 * rows also come and go while one types.
 */
function FocusFollower({ list }: { readonly list: RefObject<HTMLElement | null> }): null {
  const { value: id } = selectedId;
  const isReading = openMessageId.value !== null;
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    if (!isFirst.current && !isReading && !isTyping(document.activeElement)) {
      focusRow(list.current?.querySelector(`[data-id="${id}"]`));
    }
    isFirst.current = false;
  }, [id, isReading]);
  return null;
}
