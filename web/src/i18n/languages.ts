// The languages of the page. To add one, add a file like de.ts and a line here; types and tests name what is missing.

import { en } from './en.ts';
import type { Messages } from './messages.ts';

export interface Language {
  /** BCP 47, without a region. */
  readonly code: string;
  /** As its speakers write it; never translated. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  /** Fetches the texts; the English ones are built in. */
  load(): Promise<Messages>;
}

export const english: Language = {
  code: 'en',
  name: 'English',
  direction: 'ltr',
  load: () => Promise.resolve(en),
};

export const languages: readonly Language[] = [
  english,
  { code: 'de', name: 'Deutsch', direction: 'ltr', load: async () => (await import('./de.ts')).de },
  { code: 'es', name: 'Español', direction: 'ltr', load: async () => (await import('./es.ts')).es },
  { code: 'fr', name: 'Français', direction: 'ltr', load: async () => (await import('./fr.ts')).fr },
  { code: 'pt', name: 'Português', direction: 'ltr', load: async () => (await import('./pt.ts')).pt },
  { code: 'ru', name: 'Русский', direction: 'ltr', load: async () => (await import('./ru.ts')).ru },
  { code: 'ar', name: 'العربية', direction: 'rtl', load: async () => (await import('./ar.ts')).ar },
  { code: 'hi', name: 'हिन्दी', direction: 'ltr', load: async () => (await import('./hi.ts')).hi },
  { code: 'ja', name: '日本語', direction: 'ltr', load: async () => (await import('./ja.ts')).ja },
  { code: 'zh', name: '简体中文', direction: 'ltr', load: async () => (await import('./zh.ts')).zh },
];
