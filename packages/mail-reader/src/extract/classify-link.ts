// Classifies a link by its text, its URL, the words before it and the subject. Called by find-links.ts for each link.
// None of these is trusted: the result orders links and vouches for nothing.
import { cleanText, foldCase } from './fold-text.ts';
import { matchLinkWords, type Meaning } from './match-words.ts';

/** Beginnings of words in scripts with spaces. */
const trackingStems = `track, trace, shipment status, where is my, order status, delivery status, sendungsverfolg, sendung verfolg, verfolg, lieferstatus, suivre, suivi, seguimiento, seguir, rastrea,
  localizar, rastre, acompanhar, acompanhe, onde está, segui, traccia, dov’è, dov'è, volg, traceer, śledź, śledzenie, sprawdź status, takip, izle, отслед, отслеж, где посылка, відстеж, відслід, ट्रैक,
  theo dõi, tra cứu, lacak, jejak, pantau, spåra, följ, spor, følg, seuraa, seuranta, sledov, sleduj, nyomon, csomagköv, követ, urmăr, παρακολουθ, εντοπ, segueix, seguiment, prati, praćenj, sledi, sledenj, sekti, sekim,
  izseko, jälgi, проследи, прати, праћењ, следи, gjurmo, jarraitu, rekja, rian, kuzat, бақыла, көзөмөл, fuatilia, subaybay, olrhain, lurk, følgja`;
/** Words in scripts whose words are joined, or take prefixes. */
const joinedTracking = `تتبع, پیگیری, رهگیری, מעקב, ٹریک, 跟踪, 跟蹤, 追踪, 追蹤, 物流, 查件, 追跡, 配送状況, 배송 조회, 배송조회, 추적, ติดตาม, ট্র্যাক, ট্র্যাকিং, கண்காணி, தடமறி, டிராக், பின்தொடர், հետևել, თვალყურ, ክትትል, ટ્રૅક, ટ્રેક,
  ਟਰੈਕ, ట్రాక్, ಟ್ರ್ಯಾಕ್, ട്രാക്ക്, តាមដាន, ຕິດຕາມ, ခြေရာခံ`;

const words = (list: string): string =>
  list
    .split(',')
    .map((word) => foldCase(word.trim()))
    .join('|');
const tracking = new RegExp(`(?<!\\p{L})(?:${words(trackingStems)})|${words(joinedTracking)}`, 'u');

/**
 * Recognises the label of a link that follows a parcel or an order: such a link neither signs in nor confirms, whatever
 * the sentences around it say.
 */
function namesTracking(label: string): boolean {
  return tracking.test(foldCase(label));
}

export type LinkKind = 'verify' | 'login' | 'reset' | 'invite' | 'unsubscribe' | 'other';

interface LinkWords {
  readonly url: string;
  readonly text: string;
  readonly before: string;
  readonly subject: string;
}

const kindOf: Partial<Record<Meaning, LinkKind>> = {
  verifyLink: 'verify',
  loginLink: 'login',
  resetLink: 'reset',
  inviteLink: 'invite',
  unsubscribeLink: 'unsubscribe',
};
const askedFor: ReadonlySet<Meaning> = new Set(['verifyLink', 'resetLink', 'unsubscribeLink']);
const inAddress: readonly (readonly [LinkKind, RegExp])[] = [
  [
    'unsubscribe',
    /unsub|opt-?out|preferences|subscription|list-?manage|notification-?settings|abmeld|desabon|disiscri|desinscri|uitschrij/,
  ],
  [
    'reset',
    /reset|recover|forgot|new-?password|change-?password|set-?password|password|pass?wort|contrasena|mot-?de-?passe|senha|wachtwoord|haslo|reimposta|restablec|redefin/,
  ],
  [
    'verify',
    /verif|confirm|activat|validat|bestaetig|aktivier|email-?check|conferm|attiva|activar|activer|ativar|bevestig|potwierd|aktyw|aktivasi|konfirm|double-?opt|\/doi\/|dogrula/,
  ],
  [
    'login',
    /magic|login|log-in|signin|sign-in|sign_in|passwordless|one-?time|otl\b|inloggen|anmelden|connexion|auth\/(?:callback|email|link|token)/,
  ],
  ['invite', /invit|accept|join/],
];
const secret = /[?&=/#.-][\w~%.+-]*(?:[A-Za-z][\w-]*\d|\d[\w-]*[A-Za-z])[\w~%.+-]{10,}/;
/** A path or query that is not a page for everyone: a query, or a segment with a digit. */
const personal = /^https?:\/\/[^/?#]+(?:\/[^?#]*)?(?:[?#].*=?[\w%~.-]{2}|\/[\w~.%-]*\d[\w~.%-]*(?:[/?#]|$))/i;
const forEverybody =
  /\/(?:help|support|faq|privacy|terms|legal|contact|about|blog|docs?|news|hilfe|datenschutz|impressum|agb|aide|ayuda|ajuda|aiuto|pomoc|security|settings|account|static|img|images|assets)(?:[/?#.]|$)/i;
/** "Click here", "this link": texts that leave the purpose to the sentence. */
const genericWords = 4;
const addressMax = 1024;
const ownWordsMax = 80;

/** Addresses of people: none of them verifies anything. */
const ofPeople = /^(?:mailto|tel|sms):/i;

export function classifyLink(link: LinkWords): LinkKind {
  if (ofPeople.test(link.url)) return kindOfAddress(link.url) === 'unsubscribe' ? 'unsubscribe' : 'other';
  const own = isOwnLabel(link.text) ? kindOfWords(link.text) : undefined;
  if (own === 'unsubscribe') return own;
  if (own === 'help' || (own === undefined && isOwnLabel(link.text) && namesTracking(link.text))) {
    return 'other';
  }
  const url = link.url.slice(0, addressMax);
  const byAddress = kindOfAddress(url);
  if (byAddress === 'unsubscribe') return byAddress;
  if (own !== undefined) return own === 'login' ? loginOr(byAddress) : own;
  const around = kindOfWords(link.before);
  if (around === 'unsubscribe') return around;
  if (byAddress !== undefined) return byAddress;
  if (secret.test(url)) return known(around) ?? known(kindOfWords(link.subject)) ?? 'other';
  if (!personal.test(url) || forEverybody.test(url) || !isGeneric(link.text)) return 'other';
  const last = kindOfWords(lastSentence(link.before));
  if (last !== undefined) return known(last) ?? 'other';
  // "You asked for a new password. Open this page: …". A sign-in may only be reported; the others are requested.
  return around === 'verify' || around === 'reset' ? around : 'other';
}

function isOwnLabel(text: string): boolean {
  return text.length <= ownWordsMax && !/^https?:/i.test(text);
}

function isGeneric(text: string): boolean {
  return text === '' || /^https?:/i.test(text) || text.split(' ').length <= genericWords;
}

function known(kind: LinkKind | 'help' | undefined): LinkKind | undefined {
  return kind === 'help' ? undefined : kind;
}

// "We saw a new sign-in. Report it: …" mentions a sign-in, but the link belongs to the last sentence.
function lastSentence(before: string): string {
  const parts = before.split(/(?<=[.!?])\s+|(?<=[。！？।؟])/);
  const last = parts.at(-1) ?? '';
  return /\p{L}.*\p{L}/u.test(last) ? last : `${parts.at(-2) ?? ''} ${last}`;
}

// "Sign in to confirm" with a URL that verifies is a verification.
function loginOr(byAddress: LinkKind | undefined): LinkKind {
  return byAddress === 'verify' || byAddress === 'reset' ? byAddress : 'login';
}

// The last word wins, because it is nearest to the link; in a short label it hardly matters.
function kindOfWords(words: string): LinkKind | 'help' | undefined {
  const hits = matchLinkWords(foldCase(cleanText(words)));
  const isHelp = hits.some((hit) => hit.tag === 'helpLink');
  if (isHelp && (hits.at(-1)?.tag === 'helpLink' || hits.every((hit) => !askedFor.has(hit.tag)))) {
    return 'help';
  }
  const reset = hits.find((hit) => hit.tag === 'resetLink' || hit.tag === 'unsubscribeLink');
  const hit = reset ?? hits.at(-1);
  return hit ? kindOf[hit.tag] : undefined;
}

function kindOfAddress(url: string): LinkKind | undefined {
  const path = url
    .slice(0, addressMax)
    .toLowerCase()
    .replace(/^(?:https?:\/\/[^/?#]*|[a-z][a-z\d+.-]*:)/, '')
    // "…/loginwithemail?password=…" signs in with it.
    .replace(/[?&]passw(?:or)?d=/g, '&');
  return inAddress.find(([, pattern]) => pattern.test(path))?.[0];
}
