// The words for a link, by its purpose.
import type { OfferedLink } from './messages.ts';
import { text } from './texts.ts';

export function linkWords(kind: OfferedLink['kind']): string {
  switch (kind) {
    case 'verify':
      return text('linkVerify');
    case 'login':
      return text('linkLogin');
    case 'reset':
      return text('linkReset');
    case 'invite':
      return text('linkInvite');
  }
}
