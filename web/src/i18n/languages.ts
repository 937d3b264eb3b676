// The languages of the page. To add one, add a file like de.ts and a line here; types and tests name what is missing.

import { en } from './en.ts';
import type { Messages, MoreMessages } from './messages.ts';

export interface Language {
  /** BCP 47, without a region. */
  readonly code: string;
  /** As its speakers write it; never translated. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  /** Fetches the texts; the English ones are built in. */
  load(): Promise<Messages>;
  /** Fetches the texts of views that are loaded later. */
  loadMore(): Promise<MoreMessages>;
}

export const english: Language = {
  code: 'en',
  name: 'English',
  direction: 'ltr',
  load: () => Promise.resolve(en),
  loadMore: async () => (await import('./more/en.ts')).more,
};

export const languages: readonly Language[] = [
  english,
  {
    code: 'de',
    name: 'Deutsch',
    direction: 'ltr',
    load: async () => (await import('./de.ts')).de,
    loadMore: async () => (await import('./more/de.ts')).more,
  },
  {
    code: 'es',
    name: 'Español',
    direction: 'ltr',
    load: async () => (await import('./es.ts')).es,
    loadMore: async () => (await import('./more/es.ts')).more,
  },
  {
    code: 'fr',
    name: 'Français',
    direction: 'ltr',
    load: async () => (await import('./fr.ts')).fr,
    loadMore: async () => (await import('./more/fr.ts')).more,
  },
  {
    code: 'pt',
    name: 'Português',
    direction: 'ltr',
    load: async () => (await import('./pt.ts')).pt,
    loadMore: async () => (await import('./more/pt.ts')).more,
  },
  {
    code: 'ru',
    name: 'Русский',
    direction: 'ltr',
    load: async () => (await import('./ru.ts')).ru,
    loadMore: async () => (await import('./more/ru.ts')).more,
  },
  {
    code: 'ar',
    name: 'العربية',
    direction: 'rtl',
    load: async () => (await import('./ar.ts')).ar,
    loadMore: async () => (await import('./more/ar.ts')).more,
  },
  {
    code: 'hi',
    name: 'हिन्दी',
    direction: 'ltr',
    load: async () => (await import('./hi.ts')).hi,
    loadMore: async () => (await import('./more/hi.ts')).more,
  },
  {
    code: 'ja',
    name: '日本語',
    direction: 'ltr',
    load: async () => (await import('./ja.ts')).ja,
    loadMore: async () => (await import('./more/ja.ts')).more,
  },
  {
    code: 'zh',
    name: '简体中文',
    direction: 'ltr',
    load: async () => (await import('./zh.ts')).zh,
    loadMore: async () => (await import('./more/zh.ts')).more,
  },
];
