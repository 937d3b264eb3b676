// An address's remaining time as a shrinking ring with a figure in it. The same in words stands beside the address.
import type { VNode } from 'preact';

import { now } from '../../state/clock.ts';
import type { Mailbox } from '../../state/mailbox.ts';
import { formatShortSpan } from '../../state/timestamp.ts';

const radius = 10.5;
const around = 2 * Math.PI * radius;
const hourMs = 3_600_000;

export function TimeRing({ mailbox }: { readonly mailbox: Mailbox }): VNode {
  const left = Math.max(0, mailbox.endsAt.value - now.value);
  const share = Math.min(1, left / hourMs);
  return (
    <svg class={`ring${left < hourMs / 12 ? ' is-soon' : ''}`} viewBox="0 0 26 26" aria-hidden="true">
      <circle class="ring-track" cx="13" cy="13" r={radius} />
      <circle
        class="ring-left"
        cx="13"
        cy="13"
        r={radius}
        stroke-dasharray={`${(around * share).toFixed(1)} 99`}
      />
      <text x="13" y="16.200">
        {formatShortSpan(left)}
      </text>
    </svg>
  );
}
