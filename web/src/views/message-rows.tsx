// The rows of the list. The first of them are drawn at once and the others after the next paint, so that a list of a
// thousand messages answers as quickly as a short one.
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import type { MessageSummary } from '../api/answers.ts';
import { afterPaint } from '../app/after-paint.ts';
import type { Mailbox } from '../state/mailbox.ts';
import { MessageRow } from './message-row.tsx';

/** More than any window shows. */
const rowsAtOnce = 60;

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
      drawn.current = messages.length;
      drawRest((turn) => turn + 1);
    });
  });
  return (
    <ul class="rows">
      {messages.slice(0, count).map((message, at) => (
        <MessageRow key={message.id} mailbox={mailbox} message={message} isFar={at >= rowsAtOnce} />
      ))}
    </ul>
  );
}
