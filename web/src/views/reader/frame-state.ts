// The state that a message's frame shares with its tools. Used by message-frame.tsx and frame-tools.tsx.

import type { Signal } from '@preact/signals';

import type { FrameWish } from '../../state/mail/frame-message.ts';

/** How the message is shown, and how the reader wants it. */
export interface FrameState {
  /** Whether it has dark colours that are not its sender's. */
  readonly isDark: Signal<boolean>;
  /** Whether the sender's layout is too wide for its words to be read. */
  readonly isSmall: Signal<boolean>;
  readonly wish: Signal<FrameWish>;
  /** In pixels, for testers; null for all there is. */
  readonly width: Signal<number | null>;
}
