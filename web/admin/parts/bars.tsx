// Numbers side by side as bars; the words beside them say the same.
import type { VNode } from 'preact';

import { number } from '../texts/text.ts';

export interface Bar {
  readonly name: string;
  readonly count: number;
}

export function Bars({ bars }: { readonly bars: readonly Bar[] }): VNode {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <ul class="bars">
      {bars.map(({ name, count }) => (
        <li key={name}>
          <span class="breakable">{name}</span>
          <span class="bars-number">{number(count)}</span>
          <svg
            class="bar"
            viewBox="0 0 100 1"
            preserveAspectRatio="none"
            aria-hidden="true"
            focusable="false"
          >
            <rect width={((count / most) * 100).toFixed(1)} height="1" />
          </svg>
        </li>
      ))}
    </ul>
  );
}
