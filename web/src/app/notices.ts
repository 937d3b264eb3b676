// Short messages to the reader: shown for a while at the foot of the page, or only spoken by screen readers. Raised by
// app/, shown by views/notices-view.tsx.
import { effect, signal } from '@preact/signals';

import { type Countdown, startCountdown } from '../state/countdown.ts';

export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly kind: 'info' | 'error';
  /** Milliseconds on screen. */
  readonly lastsMs: number;
  readonly action?: { readonly label: string; readonly run: () => void };
}

export const notices = signal<readonly Notice[]>([]);
/** Announced politely; the count makes repeated words new. */
export const spoken = signal<{ readonly text: string; readonly count: number }>({ text: '', count: 0 });

/** A newer notice replaces the one before, whose action remains available by key. */
const mostAtOnce = 1;
/** Long enough for any screen reader; afterwards the text would be found by browsing the page. */
const spokenMs = 10_000;
let lastId = 0;
/** Whether a pointer or the focus is on a notice: none of them then goes, nor what it can undo. */
export const isHeld = signal(false);
const countdowns = new Map<number, Countdown>();

/** Starts once. */
export function startNotices(): void {
  effect(() => {
    const move = isHeld.value ? 'hold' : 'release';
    for (const countdown of countdowns.values()) countdown[move]();
  });
}

export function notify(notice: Omit<Notice, 'id' | 'lastsMs'> & { readonly lastsMs?: number }): number {
  const lastsMs = notice.lastsMs ?? (notice.kind === 'error' ? 9000 : 5000);
  const made: Notice = { ...notice, lastsMs, id: ++lastId };
  notices.value = [...notices.value, made].slice(-mostAtOnce);
  const countdown = startCountdown(lastsMs, () => {
    dismiss(made.id);
  });
  countdowns.set(made.id, countdown);
  if (isHeld.value) countdown.hold();
  return made.id;
}

export function dismiss(id: number): void {
  countdowns.get(id)?.end();
  countdowns.delete(id);
  if (notices.value.some((notice) => notice.id === id)) {
    notices.value = notices.value.filter((notice) => notice.id !== id);
  }
}

export function say(text: string): void {
  const count = spoken.value.count + 1;
  spoken.value = { text, count };
  setTimeout(() => {
    if (spoken.value.count === count) silence();
  }, spokenMs);
}

/** Withdraws an announcement about mail that is gone. */
export function silence(): void {
  spoken.value = { text: '', count: spoken.value.count };
}
