// Short messages to the reader: those shown for a while at the foot of the page, and those only spoken by screen
// readers. Raised by app/, shown by views/notices-view.tsx.
import { signal } from '@preact/signals';

export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly kind: 'info' | 'error';
  /** Milliseconds it stays. */
  readonly lastsMs: number;
  readonly action?: { readonly label: string; readonly run: () => void };
}

export const notices = signal<readonly Notice[]>([]);
/** Said politely; the number makes the same words new. */
export const spoken = signal<{ readonly text: string; readonly count: number }>({ text: '', count: 0 });

/** A newer one takes the place of the one before; what that offered is still a key away. */
const mostAtOnce = 1;
/** Long enough for any screen reader to take it up; what is left in the page can be found in it. */
const spokenMs = 10_000;
let lastId = 0;

export function notify(notice: Omit<Notice, 'id' | 'lastsMs'> & { readonly lastsMs?: number }): number {
  const lastsMs = notice.lastsMs ?? (notice.kind === 'error' ? 9000 : 5000);
  const made: Notice = { ...notice, lastsMs, id: ++lastId };
  notices.value = [...notices.value, made].slice(-mostAtOnce);
  setTimeout(() => {
    dismiss(made.id);
  }, lastsMs);
  return made.id;
}

export function dismiss(id: number): void {
  if (notices.value.some((notice) => notice.id === id)) {
    notices.value = notices.value.filter((notice) => notice.id !== id);
  }
}

export function say(text: string): void {
  const count = spoken.value.count + 1;
  spoken.value = { text, count };
  setTimeout(() => {
    if (spoken.value.count === count) hush();
  }, spokenMs);
}

/** Takes back what was said, where it is of mail that is gone. */
export function hush(): void {
  spoken.value = { text: '', count: spoken.value.count };
}
