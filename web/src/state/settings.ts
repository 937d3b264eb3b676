// The reader's settings for this browser, kept under one key of localStorage; i18n keeps the language.
import { effect, signal } from '@preact/signals';

import { readStored, settingsKey, writeStored } from './storage.ts';

export type Theme = 'system' | 'light' | 'dark';

export interface Settings {
  readonly theme: Theme;
  readonly sound: boolean;
  readonly notify: boolean;
  /** Whether a new code is copied when the reader returns to the page. */
  readonly copies: boolean;
  /** The subscription for push messages while the page is closed; absent or empty for none. */
  readonly push?: string;
  /** Whether single-key shortcuts are on (WCAG 2.1.4 requires a way to turn them off). */
  readonly keys: boolean;
}

/** The style sheets' backgrounds, for the bar that browsers paint around the page. */
const grounds = { light: '#f6f6f3', dark: '#0f1211' } as const;
const defaults: Settings = { theme: 'system', sound: false, notify: false, copies: false, keys: true };

export const settings = signal<Settings>(defaults);

/** Uses the default for anything invalid. */
export function parseSettings(text: string | null): Settings {
  let value: unknown = null;
  try {
    value = JSON.parse(text ?? 'null');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const given: Record<string, unknown> = typeof value === 'object' ? { ...value } : {};
  const flag = (name: 'sound' | 'notify' | 'copies' | 'keys'): boolean =>
    typeof given[name] === 'boolean' ? given[name] : defaults[name];
  const theme = given['theme'] === 'light' || given['theme'] === 'dark' ? given['theme'] : 'system';
  const push = typeof given['push'] === 'string' ? given['push'].slice(0, 1024) : '';
  return {
    theme,
    sound: flag('sound'),
    notify: flag('notify'),
    copies: flag('copies'),
    keys: flag('keys'),
    ...(push === '' ? {} : { push }),
  };
}

export function changeSettings(changes: Partial<Settings>): void {
  settings.value = { ...settings.value, ...changes };
  writeStored(settingsKey, JSON.stringify(settings.value));
}

/** Loads the settings and applies the theme from now on. Called once, before the first view. */
export function startSettings(): void {
  loadSettings();
  effect(() => {
    const { theme } = settings.value;
    document.documentElement.dataset['theme'] = theme;
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
      const own = meta.getAttribute('media')?.includes('dark') ? 'dark' : 'light';
      meta.setAttribute('content', grounds[theme === 'system' ? own : theme]);
    }
  });
}

/** The defaults when nothing is stored. */
export function loadSettings(): void {
  settings.value = parseSettings(readStored(settingsKey));
}
