// How the reader wants this browser to behave. Kept under one key of localStorage; the language is kept by i18n.
import { effect, signal } from '@preact/signals';

import { readStored, writeStored } from './storage.ts';

export type Theme = 'system' | 'light' | 'dark';

export interface Settings {
  readonly theme: Theme;
  readonly sound: boolean;
  readonly notify: boolean;
  /** Where the browser is told of mail while the page is closed; absent or empty for nowhere. */
  readonly push?: string;
  /** Whether single keys are shortcuts (WCAG 2.1.4 asks for a way to turn them off). */
  readonly keys: boolean;
}

/** As the style sheets have them, for the bar that browsers paint around the page. */
const grounds = { light: '#f6f6f3', dark: '#0f1211' } as const;
const settingsKey = 'mayfly.settings';
const defaults: Settings = { theme: 'system', sound: false, notify: false, keys: true };

export const settings = signal<Settings>(defaults);

/** Whatever is no setting of ours takes its default. */
export function parseSettings(text: string | null): Settings {
  let value: unknown = null;
  try {
    value = JSON.parse(text ?? 'null');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const given: Record<string, unknown> = typeof value === 'object' ? { ...value } : {};
  const flag = (name: 'sound' | 'notify' | 'keys'): boolean =>
    typeof given[name] === 'boolean' ? given[name] : defaults[name];
  const theme = given['theme'] === 'light' || given['theme'] === 'dark' ? given['theme'] : 'system';
  const push = typeof given['push'] === 'string' ? given['push'].slice(0, 1024) : '';
  return {
    ...{ theme, sound: flag('sound'), notify: flag('notify'), keys: flag('keys') },
    ...(push === '' ? {} : { push }),
  };
}

export function changeSettings(changes: Partial<Settings>): void {
  settings.value = { ...settings.value, ...changes };
  writeStored(settingsKey, JSON.stringify(settings.value));
}

/** Reads them and keeps the page's theme to them. Called once, before the first view. */
export function startSettings(): void {
  settings.value = parseSettings(readStored(settingsKey));
  effect(() => {
    const { theme } = settings.value;
    document.documentElement.dataset['theme'] = theme;
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
      const own = meta.getAttribute('media')?.includes('dark') ? 'dark' : 'light';
      meta.setAttribute('content', grounds[theme === 'system' ? own : theme]);
    }
  });
}

/** To the state of a first visit, nothing kept. */
export function forgetSettings(): void {
  settings.value = defaults;
}
