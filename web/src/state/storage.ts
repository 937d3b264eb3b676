// Access to localStorage, which reads as empty where the browser keeps nothing (private windows, blocked storage). All
// keys of the app share a prefix, so that they can be removed together.

const ownPrefix = 'mayfly.';
/** For state/settings.ts; first-request.ts reads the colours from it. */
export const settingsKey = 'mayfly.settings';

export function readStored(key: string): string | null {
  return attempt(() => localStorage.getItem(key)) ?? null;
}

export function writeStored(key: string, text: string): void {
  attempt(() => {
    localStorage.setItem(key, text);
  });
}

/** Returns what it removed. Leaves the keys of other apps at the same origin. */
export function forgetStored(): Readonly<Record<string, string>> {
  const removed: Record<string, string> = {};
  attempt(() => {
    for (const key of Object.keys(localStorage)) {
      if (!key.startsWith(ownPrefix)) continue;
      removed[key] = localStorage.getItem(key) ?? '';
      localStorage.removeItem(key);
    }
  });
  return removed;
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
