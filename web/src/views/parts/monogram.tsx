// The sender as a coloured letter, hidden from screen readers.
import type { VNode } from 'preact';

import type { Sender } from '../../state/mail/shown-sender.ts';
import { toMonogram } from '../../state/mail/monogram.ts';

export function Monogram({ sender }: { readonly sender: Sender }): VNode {
  const { letter, tone } = toMonogram(sender.sender_name, sender.sender_email);
  return (
    <span class={`monogram tone-${tone}`} aria-hidden="true">
      {letter}
    </span>
  );
}
