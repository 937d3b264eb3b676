// What this browser keeps between visits: localStorage, and nothing where the browser keeps nothing (private windows,
// blocked storage). Every key of the app begins alike, so that all can be forgotten together.

const ownPrefix = 'mayfly.';

export function readStored(key: string): string | null {
  return attempt(() => localStorage.getItem(key)) ?? null;
}

export function writeStored(key: string, text: string): void {
  attempt(() => {
    localStorage.setItem(key, text);
  });
}

/** Keys of others at the same origin stay. */
export function forgetStored(): void {
  attempt(() => {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(ownPrefix)) localStorage.removeItem(key);
    }
  });
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    // Forbidden or full: the app goes on in memory until the page is closed.
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}
