// The mark: a mayfly, wing upright, three tail filaments. The same as public/favicon.svg, whose lines are strong
// enough for 16 px; public/icon.svg adds veins, for larger sizes.
import type { VNode } from 'preact';

export function Mark(): VNode {
  return (
    <svg class="mark" viewBox="0 0 48 48" aria-hidden="true" focusable="false">
      <path class="mark-body" d="M13 32C6.5 22 7 11 10 3c7 2.5 12.5 9 12.5 16 0 5.5-2 10-5 13z" />
      <path
        class="mark-body"
        d="M4 34.500c0-3 3.200-4.300 5.500-3 3.500-1.500 7-1 10 .5 3.200 1.600 6 1 8.500-1.500l2 2c-3.500 4.600-8.500 5.300-12.500 3.600-2.800 1-5.500.8-8-.1-2.500 1.800-5.500.6-5.500-1.500z"
      />
      <path
        class="mark-lines"
        d="M28.500 32C31.500 26 31.800 18 30 9M28.500 32C35 27.500 39 21 40.500 13M28.500 32c6.500 0 11.500-2.500 15.500-7M10.500 35.500 6.500 43.500M17 36l2.500 7.500"
      />
    </svg>
  );
}
