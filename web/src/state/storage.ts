// Access to localStorage, which reads as empty where the browser keeps nothing (private windows, blocked storage). All
// keys of the app share a prefix, so that they can be removed together.

const ownPrefix = 'mayfly.';

export function readStored(key: string): string | null {
  return attempt(() => localStorage.getItem(key)) ?? null;
}

export function writeStored(key: string, text: string): void {
  attempt(() => {
    localStorage.setItem(key, text);
  });
}

/** Leaves the keys of other apps at the same origin. */
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
