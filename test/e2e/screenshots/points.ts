// The points of the page and of the extension that a person meets, and the views that show each. Every view is named here,
// so that none is taken that shows nothing of its own.
import { devViews } from './dev-views.ts';
import { extensionViews } from './extension-views.ts';
import { mailViews, otherPages } from './mail-views.ts';
import { pageViews } from './page-views.ts';
import type { View } from './stage.ts';

export const views: readonly View[] = [
  ...pageViews,
  ...mailViews,
  ...otherPages,
  ...devViews,
  ...extensionViews,
];

export const points: Readonly<Record<string, readonly string[]>> = {
  'names one can say': ['empty'],
  'a new address by one tap, options behind a caret': ['new-address', 'create'],
  'an empty page whose first circle copies, and reasons only after a minute': ['empty', 'empty-late'],
  'nothing twice': ['inbox', 'code'],
  'the newest code open by itself on a wide screen': ['code'],
  'a new code not over what is being read': ['code-while-reading'],
  'the code in the title, in notifications and on the clipboard': ['code', 'settings'],
  'plain mail in dark colours, designed mail as sent, each with a toggle': [
    'message',
    'message-dark',
    'plain',
  ],
  'newsletters readable on a phone, or fitted': ['newsletter', 'newsletter-fit'],
  'quotations and signatures folded': ['plain', 'plain-unfolded', 'folded-text'],
  'cards for an event, a sign-in link and a parcel': ['event', 'sign-in', 'parcel'],
  'a misleading link in two steps': ['doubtful-link'],
  'the forms of a message': ['message-text', 'message-headers', 'message-raw', 'attachments'],
  'search with operators, chips and marks': ['search', 'search-chips', 'search-nothing'],
  'swipes and undo': ['swipe-delete', 'swipe-read', 'undo'],
  'one Tab stop for the list, and several messages at once': ['focused-row', 'selecting'],
  'several addresses': ['addresses', 'addresses-searched'],
  'more time offered, and what is on the screen kept at the end': ['ending', 'ended', 'ended-empty'],
  'sharing, labels, deliveries and the end of an address': ['share', 'label', 'deliveries', 'end'],
  keys: ['shortcuts'],
  'testers: all mail, with its recipients': ['dev-empty', 'dev-recipients', 'dev-filtered', 'dev-workers'],
  'testers: To, Cc, Bcc and envelope': ['dev-envelope'],
  'testers: widths, source, link': [
    'dev-width-320',
    'dev-width-600',
    'dev-width-full',
    'dev-source',
    'dev-link',
  ],
  'unknown paths': ['unknown-path'],
  'documentation to try': ['docs', 'docs-try'],
  print: ['print'],
  'long names': ['long-name'],
  'relative times in German': ['german-times'],
  'a language from right to left': ['arabic', 'arabic-empty', 'arabic-settings'],
  'extension: an icon in the field, which fills it': ['extension-icon', 'extension-filled'],
  'extension: the code in its field, in boxes, or as a toast': [
    'extension-code-field',
    'extension-code-boxes',
    'extension-toast',
  ],
  'extension: another sender is named': ['extension-other-sender'],
  'extension: a sign-in link, which asks when it leads elsewhere': ['extension-link', 'extension-other-link'],
  'extension: popup and options': ['extension-popup', 'extension-options'],
};
