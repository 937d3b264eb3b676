// The app's icons, drawn here: lines on a grid of 24, in the colour of the text around. An icon never stands for words
// that are not there for a screen reader too, so all are hidden from it.
import type { VNode } from 'preact';

const circle = 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z';
const shield = 'M12 3l7 3v5c0 4.5-3 8-7 10-4-2-7-5.5-7-10V6z';

const drawings = {
  back: 'M19 12H5M11 6l-6 6 6 6',
  bell: 'M6 10a6 6 0 0 1 12 0c0 5 2 6 2 7H4c0-1 2-2 2-7M10 20a2 2 0 0 0 4 0',
  check: 'M5 12.5 10 17.5 19 7',
  clip: 'M20 11.5l-8.2 8.2a5 5 0 0 1-7.1-7.1l8.5-8.5a3.3 3.3 0 0 1 4.7 4.7l-8.5 8.5a1.7 1.7 0 0 1-2.4-2.4l7.8-7.8',
  clock: `${circle}M12 7v5l3 2`,
  close: 'M6 6l12 12M18 6 6 18',
  code: 'M8 7l-5 5 5 5M16 7l5 5-5 5',
  copy: 'M11 9h7a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2zM5 15a2 2 0 0 1-1-1.7V6a2 2 0 0 1 2-2h7.3A2 2 0 0 1 15 5',
  down: 'M6 9l6 6 6-6',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  end: `${circle}M9 9l6 6M15 9l-6 6`,
  expand: 'M9 4H4v5M15 4h5v5M9 20H4v-5M15 20h5v-5',
  file: 'M7 3h7l5 5v13H7zM14 3v5h5',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01',
  keyboard:
    'M4 6h16a1.5 1.5 0 0 1 1.5 1.5v9A1.5 1.5 0 0 1 20 18H4a1.5 1.5 0 0 1-1.5-1.5v-9A1.5 1.5 0 0 1 4 6zM6.5 10h.01M10 10h.01M13.5 10h.01M17 10h.01M8 14h8',
  label:
    'M4 5v6.500l8.500 8.500a1.500 1.500 0 0 0 2 0l5.500-5.500a1.500 1.500 0 0 0 0-2L11.500 4H5a1 1 0 0 0-1 1zM8 8h.01',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  mail: 'M5 5h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zM3.5 7.5 12 13l8.5-5.5',
  mayfly:
    'M12 10v8M12 18l-3.5 3.5M12 18l3.5 3.5M12 12C8.5 4 3 4.500 3 8s5 4 9 4M12 12c3.500-8 9-7.500 9-4s-5 4-9 4M12 8V6',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  open: 'M14 4h6v6M20 4l-9 9M18 14v4a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h4',
  paste: 'M9 5H7a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V7a2 2 0 0 0-2-2h-2M9 3h6v4H9zM9 12h6M9 16h4',
  plus: 'M12 5v14M5 12h14',
  print: 'M7 9V4h10v5M7 17H5a2 2 0 0 1-2-2v-4a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2h-2M7 14h10v6H7z',
  proven: `${shield}M8.500 12l2.500 2.500 4.500-4.500`,
  qr: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM20 14v.01M20 20v-2M17 20h-3',
  random: 'M16 4h4v4M4 20 20 4M20 16v4h-4M15 15l5 5M4 4l5 5',
  search: 'M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15.500 15.500 20 20',
  settings:
    'M4 7h10M18 7h2M4 17h2M10 17h10M14 7a2 2 0 1 0 4 0 2 2 0 1 0-4 0M6 17a2 2 0 1 0 4 0 2 2 0 1 0-4 0',
  shrink: 'M4 9h5V4M20 9h-5V4M4 15h5v5M20 15h-5v5',
  trash:
    'M4 7h16M10 11v6M14 11v6M6 7l1 12a2 2 0 0 0 2 2h6a2 2 0 0 0 2-2l1-12M9 7V5a2 2 0 0 1 2-2h2a2 2 0 0 1 2 2v2',
  unproven: `${shield}M12 8v4.500M12 16h.01`,
  up: 'M6 15l6-6 6 6',
  warning: 'M12 4 2.8 20h18.4zM12 10v4M12 17h.01',
} as const;

export type IconName = keyof typeof drawings;

export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={drawings[name]} />
    </svg>
  );
}
