// Says what a link is for, from its own words, its address, the words before it and the subject.
// Called by find-links.ts for each link. Trusts none of them: the answer orders links, it does not vouch for them.
import { cleanText, foldCase } from './fold-text.ts';
import { matchLinkWords, type Meaning } from './match-words.ts';

export type LinkKind = 'verify' | 'login' | 'reset' | 'invite' | 'unsubscribe' | 'other';

interface LinkWords {
  url: string;
  text: string;
  before: string;
  subject: string;
}

const KIND_OF: Partial<Record<Meaning, LinkKind>> = {
  verifyLink: 'verify',
  loginLink: 'login',
  resetLink: 'reset',
  inviteLink: 'invite',
  unsubscribeLink: 'unsubscribe',
};
const IN_ADDRESS: readonly (readonly [LinkKind, RegExp])[] = [
  [
    'unsubscribe',
    /unsub|opt-?out|preferences|subscription|list-?manage|notification-?settings|abmeld|desabon|disiscri/,
  ],
  ['reset', /reset|recover|forgot|new-?password|change-?password|set-?password|password/],
  ['verify', /verif|confirm|activat|validat|bestaetig|aktivier|email-?check/],
  ['login', /magic|login|log-in|signin|sign-in|sign_in|passwordless|one-?time|otl\b/],
  ['invite', /invit|accept|join/],
];
const SECRET = /[?&=/#.-][\w~%.+-]*(?:[A-Za-z][\w-]*\d|\d[\w-]*[A-Za-z])[\w~%.+-]{10,}/;
const MAX_ADDRESS = 1024;
const MAX_OWN_WORDS = 80;

export function classifyLink(link: LinkWords): LinkKind {
  const byText =
    link.text.length <= MAX_OWN_WORDS && !/^https?:/i.test(link.text) ? kindOfWords(link.text) : undefined;
  if (byText === 'unsubscribe') return byText;
  const byAddress = kindOfAddress(link.url);
  if (byAddress === 'unsubscribe') return byAddress;
  if (byText !== undefined) return byText === 'login' ? loginOr(byAddress) : byText;
  const around = kindOfWords(link.before);
  if (around === 'unsubscribe') return around;
  if (byAddress !== undefined) return byAddress;
  if (!SECRET.test(link.url.slice(0, MAX_ADDRESS))) return 'other';
  return around ?? kindOfWords(link.subject) ?? 'other';
}

// "Sign in to confirm" on an address that verifies is there to verify.
function loginOr(byAddress: LinkKind | undefined): LinkKind {
  return byAddress === 'verify' || byAddress === 'reset' ? byAddress : 'login';
}

// The last word wins in what precedes a link, since it stands nearest; it hardly matters in a short label.
function kindOfWords(words: string): LinkKind | undefined {
  const hits = matchLinkWords(foldCase(cleanText(words)));
  const reset = hits.find((hit) => hit.tag === 'resetLink' || hit.tag === 'unsubscribeLink');
  const hit = reset ?? hits.at(-1);
  return hit ? KIND_OF[hit.tag] : undefined;
}

function kindOfAddress(url: string): LinkKind | undefined {
  const path = url
    .slice(0, MAX_ADDRESS)
    .toLowerCase()
    .replace(/^https?:\/\/[^/?#]*/, '');
  return IN_ADDRESS.find(([, pattern]) => pattern.test(path))?.[0];
}
