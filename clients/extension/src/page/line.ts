// The line to the worker. It breaks when the browser lets the worker sleep, and is made anew, which wakes it. What is
// sent while the worker is being ended is lost without an error, so a person's acts are kept until they are answered.
import type { Act, Asked, FromPage, ForFrame, Note, ToPage } from '../shared/messages.ts';

/** Less than the thirty seconds after which an idle worker is ended. */
const pingMs = 20_000;
/** Milliseconds before a line that broke at once is tried again. */
const pause = 1000;

export interface LineEvents {
  readonly received: (message: ForFrame) => void;
  readonly opened: () => void;
  /** Whether the line is wanted all the time: mail is expected. */
  readonly isWanted: () => boolean;
  /** The extension was updated or removed: nothing of it works here any more. */
  readonly gone: () => void;
}

export class Line {
  readonly #events: LineEvents;
  readonly #endWatching: () => void;
  readonly #unanswered = new Map<number, Asked>();
  #lastNumber = 0;
  #port: chrome.runtime.Port | undefined;
  #openedAt = 0;
  #isClosed = false;

  constructor(events: LineEvents) {
    this.#events = events;
    this.#endWatching = watchPage({
      looking: () => {
        if (events.isWanted()) this.tell({ kind: 'ping' });
      },
      restored: () => {
        this.#reopen();
      },
    });
  }

  isOpen(): boolean {
    return this.#port !== undefined;
  }

  /** Opens it if it is not open. */
  open(): void {
    if (this.#port || this.#isClosed) return;
    if (!isAlive()) {
      this.#events.gone();
      return;
    }
    const port = chrome.runtime.connect({ name: originsHere().join(' ') });
    this.#port = port;
    this.#openedAt = Date.now();
    port.onMessage.addListener((message: ToPage) => {
      if (message.kind === 'done') this.#unanswered.delete(message.number);
      else this.#events.received(message);
    });
    port.onDisconnect.addListener(() => {
      if (this.#port !== port) return;
      this.#port = undefined;
      const isShort = Date.now() - this.#openedAt < pause;
      setTimeout(() => this.#reopen(), isShort ? pause : 0);
    });
    this.#events.opened();
    for (const asked of this.#unanswered.values()) this.#post(asked);
  }

  /** Says it if the line is open. */
  tell(message: Note): void {
    if (this.#port) this.#post(message);
  }

  /** Opens the line if need be, and asks until it is answered. */
  ask(act: Act): void {
    const asked = { ...act, number: ++this.#lastNumber };
    this.#unanswered.set(asked.number, asked);
    if (this.#port) this.#post(asked);
    else this.open();
  }

  close(): void {
    this.#isClosed = true;
    this.#endWatching();
    this.#port?.disconnect();
    this.#port = undefined;
  }

  #reopen(): void {
    if (this.#events.isWanted() || this.#unanswered.size > 0) this.open();
  }

  #post(message: FromPage): void {
    try {
      this.#port?.postMessage(message);
    } catch (error) {
      console.info(String(error));
      this.#port = undefined;
    }
  }
}

/**
 * Returns the origins of this frame and of those around it: the worker judges whether they are all of the page's site.
 * Firefox does not list them. There, a frame whose origin cannot be read is of another, and so is refused; the worker
 * knows the outermost by itself.
 */
function originsHere(): readonly string[] {
  const { ancestorOrigins } = location as { ancestorOrigins?: DOMStringList };
  if (ancestorOrigins) return [self.origin, ...ancestorOrigins];
  const found = [self.origin];
  if (window === top) return found;
  for (let at = parent; at !== top; at = at.parent) found.push(originOf(at));
  return found;
}

function originOf(frame: Window): string {
  try {
    return frame.origin;
  } catch {
    return 'null';
  }
}

function isAlive(): boolean {
  return (chrome.runtime as { id?: string } | undefined)?.id !== undefined;
}

/** Calls `looking` every twenty seconds while a person may see the page, and when they come back to it. */
function watchPage({ looking, restored }: { looking: () => void; restored: () => void }): () => void {
  const look = (): void => {
    if (!document.hidden) looking();
  };
  const show = (event: PageTransitionEvent): void => {
    // A page that was kept while another was shown has lost its line.
    if (event.persisted) restored();
  };
  const timer = setInterval(look, pingMs);
  document.addEventListener('visibilitychange', look);
  addEventListener('pageshow', show);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
    removeEventListener('pageshow', show);
  };
}
