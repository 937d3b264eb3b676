// Where our answers differ from those of other catchers, and are meant to.

import type { Judgement } from './compare-answers.ts';

const text = /^(?:summary\.Snippet|message\.body\.Text|text\.body|message\.body\.body\.text)$/;
const files =
  /^(?:message\.body\.(?:Inline|Attachments|attachments)|parts|files|summary\.Attachments)(?:\.|$)/;
const fileNames = /(?:\.FileName|\.filename|-link)$/;
const broken =
  /^(?:bad-encodings|bare-lf|empty-(?:content-type|subject)-first|hostile-(?:address-fabrication|duplicate-headers|header-controls|missing-boundary|same-boundary|unclosed|utf-7))$/;

const ofBoth: readonly Judgement[] = [
  {
    path: /^accepted$/,
    isMeant: ({ ours }) => ours === true,
    reason:
      'refused by them for what is in it: we take what RFC 5321 §2.3.1 lets a client send, and show what we can',
  },
  {
    path: /./,
    mails: broken,
    reason:
      'broken by intent: RFC 5322 and 2045 give it no meaning, and we show all of its text that we find',
  },
  {
    path: /(?:subject|\.from(?:\.\w+)?|name|\.date|-link|type|status|body)$/i,
    mails:
      /^(?:koi8-r-raw-header|latin1-undeclared|raw-header-charset-of-part|q-word-split-at-equals|raw-filename-charset-of-text|date-.*)$/,
    reason:
      'undeclared charsets, cut words and odd dates, which they give up: what programs send is guessed by us',
  },
  {
    path: /subject/i,
    mails: /^folded-headers$/,
    reason: 'unfolding removes the line end alone (RFC 5322 §2.2.3), so both spaces stay',
  },
  {
    path: text,
    mails: /^eight-bit-body$/,
    reason: 'declared as UTF-8 (RFC 2045 §6.2), read by them as Latin-1',
  },
  { path: text, mails: /^flowed/, reason: 'format=flowed is joined (RFC 3676 §4.1), which they do not know' },
  { path: text, mails: /^utf-16-body$/, reason: 'a byte order mark is no part of the text (RFC 2781 §3.2)' },
  {
    path: text,
    mails:
      /^(?:html-only|html-alone|link-.*|anchor-id|list-style-.*|css-.*|bg-.*|picture-.*|related-.*|sliced-.*)$/,
    reason:
      'text made from HTML, for which there is no rule: ours leaves out addresses and rules of asterisks',
  },
  {
    path: text,
    mails: /^(?:nested-attachments|inline-text-file)$/,
    reason:
      'several texts are joined by an empty line, not by two dashes, which begin a signature (RFC 3676 §4.3)',
  },
  {
    path: /./,
    mails: /^uuencode/,
    reason: 'uuencoded files are taken out of the text, as mail programs do',
  },
  {
    path: fileNames,
    reason: 'names are made safe to save under (RFC 2183 §5), and one is made where the sender gave none',
  },
  {
    path: files,
    mails:
      /^(?:attachment-image-jpg-noname|bounce-report|calendar-alternative|filename-.*|forwarded-message|inline-image-.*|rfc2231-filenames|signed)$/,
    reason:
      'files without a name, reports, invitations and signatures are files all the same; theirs are left out',
  },
];

export const ofMailpit: readonly Judgement[] = [
  ...ofBoth,
  {
    path: text,
    mails: /^alternative-with-html$/,
    reason: 'a line of encoded text ends in CRLF (RFC 2045 §6.7), whatever a sender encoded',
  },
  {
    path: /^summary\.(?:To|Cc)$/,
    isMeant: ({ theirs, ours }) => theirs === null && ours === '[]',
    reason: 'an empty list is [], as their own documentation says, and as they have it in messages',
  },
  {
    path: /^summary\.Snippet$/,
    mails: /^long-text$/,
    isMeant: ({ theirs, ours }) => isBeginning(ours, theirs),
    reason: 'the preview has 120 characters, theirs 200 bytes',
  },
  {
    path: /^summary\.Snippet$/,
    mails: /^alternative/,
    reason: 'the preview is of the text that the sender wrote; theirs is of the HTML, with what it hides',
  },
  {
    path: /^(?:message\.body\.Read|headers\.body\.Delivered-To\.0)$/,
    isMeant: ({ theirs }) => theirs === undefined,
    reason: 'their client for Python (mailpit-api-client) reads no answer without it',
  },
  {
    path: /^raw\.body$/,
    isMeant: ({ ours }) => ours === 'as sent',
    reason: 'the bytes below our trace are the sender’s; theirs are changed',
  },
  {
    path: /\.ReplyTo(?:\.|$)/,
    mails: /^names-quoted$/,
    reason: 'a comment may stand before an address (RFC 5322 §3.4)',
  },
];

export const ofInbucket: readonly Judgement[] = [
  ...ofBoth,
  {
    path: /^source\.body$/,
    isMeant: ({ theirs, ours }) => theirs === 'as sent, with LF' && ours === 'as sent',
    reason: 'the bytes below our trace are the sender’s; theirs have LF',
  },
  {
    path: /^files\.\d+\.(?:type|status|body)$/,
    reason:
      'files are downloads, never shown as a page; theirs without a name, or with an odd one, have no address',
  },
  {
    path: /^message\.body\.attachments\.\d+\.md5$/,
    mails: /^files$/,
    reason: 'the sum of a text file with its line ends as sent, CRLF; theirs are stored as LF',
  },
];

function isBeginning(ours: unknown, theirs: unknown): boolean {
  const plain = (value: unknown): string => String(value).replace(/\W+/gu, '');
  const length = Math.min(plain(ours).length, plain(theirs).length);
  return plain(ours).slice(0, length) === plain(theirs).slice(0, length);
}
