// The real sanitiser without its thread: tests run the sources, which a worker cannot load. Created for the first
// message with HTML.
import { createHtmlCleaner, type HtmlCleaner } from '@mayfly/mail-reader/html';
import type { HtmlSanitiser } from '#mail-threads/html-sanitiser';

export function createThreadlessSanitiser(): HtmlSanitiser {
  let cleaner: HtmlCleaner | undefined;
  return {
    sanitise: async (input) => {
      cleaner ??= createHtmlCleaner();
      const html = await cleaner.sanitise(input);
      return 'refused' in html ? { kind: 'failed', reason: html.refused } : { kind: 'safe', html };
    },
    close: () => undefined,
  };
}
