// The line to the worker. It breaks when the browser lets the worker sleep, and is made anew, which wakes it.
import type { FromPage, ToPage } from '../shared/messages.ts';

export interface Line {
  /** Opens it if it is not open. */
  open(): void;
  send(message: FromPage): void;
  close(): void;
  isOpen(): boolean;
}

/** Less than the thirty seconds after which an idle worker is ended. */
const pingMs = 20_000;
/** Milliseconds before a line that broke at once is tried again. */
const pause = 1000;

export interface LineEvents {
  readonly received: (message: ToPage) => void;
  readonly opened: () => void;
  /** Whether the line is wanted all the time: mail is expected. */
  readonly isWanted: () => boolean;
  /** The extension was updated or removed: nothing of it works here any more. */
  readonly gone: () => void;
}

export function createLine({ received, opened, isWanted, gone }: LineEvents): Line {
  let port: chrome.runtime.Port | undefined;
  let isClosed = false;
  let openedAt = 0;
  const endWatching = watchPage({
    looking: () => {
      if (port && isWanted()) send({ kind: 'ping' });
    },
    restored: () => {
      if (isWanted()) open();
    },
  });

  function isAlive(): boolean {
    return (chrome.runtime as { id?: string } | undefined)?.id !== undefined;
  }

  function open(): void {
    if (port || isClosed) return;
    if (!isAlive()) {
      gone();
      return;
    }
    // The worker judges whether they are all of the page's own site.
    const { ancestorOrigins } = location as { ancestorOrigins?: DOMStringList };
    const made = chrome.runtime.connect({ name: [...(ancestorOrigins ?? [])].join(' ') });
    port = made;
    openedAt = Date.now();
    made.onMessage.addListener(received);
    made.onDisconnect.addListener(() => {
      if (port !== made) return;
      port = undefined;
      if (isWanted()) setTimeout(open, Date.now() - openedAt < pause ? pause : 0);
    });
    opened();
  }

  function send(message: FromPage): void {
    open();
    try {
      port?.postMessage(message);
    } catch (error) {
      console.info(String(error));
      port = undefined;
    }
  }

  return {
    open,
    send,
    isOpen: () => port !== undefined,
    close() {
      isClosed = true;
      endWatching();
      port?.disconnect();
      port = undefined;
    },
  };
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
