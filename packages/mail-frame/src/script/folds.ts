// Folds the mail that a reply quotes, and signatures, as the programs that wrote them mark them, or below a line `-- `
// (RFC 3676 §4.3). Only what follows words of the sender's own is folded, so that a forwarded message is shown, and
// nothing that holds a code or a link that the page names; on paper everything is open.

/** Ids as the sanitiser leaves them. */
const ids = (names: readonly string[]): readonly string[] => names.map((name) => `#user-content-${name}`);

const signatures = [
  ...['.gmail_signature', '.moz-signature', '.protonmail_signature_block', '.bloop_sign', '.front-signature'],
  ...['.ms-outlook-ios-signature', '.AppleMailSignature', '.k9mail-signature', '.-x-evo-signature-wrapper'],
  ...['.-x-evo-signature', '[class^="ydp"][class$="signature"]', '.sh-signature'],
  ...ids(['Signature', 'ms-outlook-mobile-signature', 'AppleMailSignature', 'ymail_android_signature']),
  ...ids(['composer_signature', '_rc_sig']),
  ...['[id^="user-content-Zm-_Id_-Sgn"]', '[name$="messageSignatureSection"]'],
].join();

/** The marks, by how much of the message belongs to the marked element. */
const marks = {
  alone: [
    ...['.gmail_quote', '.yahoo_quoted', '.protonmail_quote', '.tutanota_quote', 'blockquote[type="cite" i]'],
    ...[signatures],
  ],
  withNext: ['.moz-cite-prefix'],
  withRest: ids(['divRplyFwdMsg', 'appendonsend', 'mail-editor-reference-message-container']),
} as const;

/** A longer one may be the mail itself, written into the place of a signature. */
const longestSignature = 2_000;

export const foldStyle =
  '.mayfly-fold{display:block;margin:8px 0}.mayfly-fold>summary{display:inline-block;box-sizing:border-box;min-width:40px;' +
  'padding:2px 10px;border-radius:8px;background:#e6e9e5;color:#45504a;font:600 14px/20px system-ui,sans-serif;' +
  'list-style:none;text-align:center;cursor:pointer}.mayfly-fold>summary::-webkit-details-marker{display:none}';

export const folds = `
const marks = ${JSON.stringify(Object.fromEntries(Object.entries(marks).map(([how, names]) => [how, names.join()])))};
const signatures = ${JSON.stringify(signatures)};
const isMark = (node) => node.nodeType === 1 && matches.call(node, Object.values(marks).join());
const restOf = (node, isEnd) => {
  const parts = [node];
  for (let next = nextOf.call(node); next && !isEnd(next); next = nextOf.call(next)) parts.push(next);
  return parts;
};
const partsOf = (node) => {
  if (node.nodeType === 3) return restOf(node, isMark);
  if (matches.call(node, marks.withRest)) return restOf(node, () => false);
  if (!matches.call(node, marks.withNext)) return isMark(node) ? [node] : restOf(node, isMark);
  let isPast = false;
  return restOf(node, (next) => {
    const isEnd = isPast;
    isPast ||= next.nodeType === 1;
    return isEnd;
  });
};
const isBreak = (node) => node === null || (node.nodeType === 1 && node.nodeName === 'BR');
const isAlone = (node) => {
  const next = nextOf.call(node);
  return previousOf.call(node) === null && isBreak(next) && (next === null || nextOf.call(next) === null);
};
const findLines = () => {
  const found = [];
  const body = bodyOf.call(document);
  const texts = createTreeWalker.call(document, body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const isLine = /^\\s*--[ \\u00a0]\\s*$/.test(text.data) && isBreak(previousOf.call(text)) && isBreak(nextOf.call(text));
    if (!isLine) continue;
    let line = text;
    while (isAlone(line) && parentOf.call(line) !== body) line = parentOf.call(line);
    found.push(line);
  }
  return found;
};
let foldWords = '';
const nameFolds = () => {
  for (const handle of querySelectorAll.call(document, '.mayfly-fold > summary')) {
    if (foldWords !== '') setAttribute.call(handle, 'aria-label', foldWords);
  }
};
const squeeze = (text) => text.replace(/[\\s-]+/g, '');
const openNeeded = ({ codes, links }) => {
  if (!Array.isArray(codes) || !Array.isArray(links)) return;
  const wanted = codes.filter((code) => typeof code === 'string').map(squeeze);
  for (const box of querySelectorAll.call(document, '.mayfly-fold:not([open])')) {
    const words = squeeze(wordsOf.call(box));
    const hasLink = [...findIn.call(box, 'a[href]')].some(({ href }) => links.includes(href));
    if (hasLink || wanted.some((code) => code !== '' && words.includes(code))) box.open = true;
  }
};
const isOrdered = (one, other) => Boolean(comparePlaces.call(one, other) & Node.DOCUMENT_POSITION_FOLLOWING);
const fold = () => {
  const between = new Range();
  between.setStart(bodyOf.call(document), 0);
  let isAfterWords = false;
  const lines = findLines();
  const found = [...querySelectorAll.call(document, Object.values(marks).join()), ...lines];
  if (lines.length > 0) found.sort((one, other) => (isOrdered(one, other) ? -1 : 1));
  for (const node of found) {
    if (closest.call(node.nodeType === 1 ? node : parentOf.call(node), '.mayfly-fold')) continue;
    if (!isAfterWords) {
      between.setEndBefore(node);
      isAfterWords = between.toString().trim() !== '';
      between.collapse();
    }
    if (!isAfterWords) continue;
    const parts = partsOf(node);
    const isSignature = !isMark(node) || matches.call(node, signatures);
    const length = parts.reduce((sum, part) => sum + (wordsOf.call(part) ?? '').length, 0);
    if (isSignature && length > ${longestSignature}) continue;
    const box = createElement.call(document, 'details');
    const handle = createElement.call(document, 'summary');
    box.className = 'mayfly-fold';
    handle.textContent = '•••';
    putBefore.call(parentOf.call(node), box, node);
    append.call(box, handle, ...parts);
  }
  nameFolds();
};
let opened = [];
addEventListener('beforeprint', () => {
  opened = [...querySelectorAll.call(document, '.mayfly-fold:not([open])')];
  for (const box of opened) box.open = true;
});
addEventListener('afterprint', () => {
  for (const box of opened) box.open = false;
});`;
