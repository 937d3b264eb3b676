// Folds the mail that a reply quotes, and signatures, as the programs that wrote them mark them. Only what follows words of
// the sender's own is folded, so that a forwarded message is shown; on paper everything is open.

/** The marks, by how much of the message belongs to the marked element. */
const marks = {
  alone: [
    ...['.gmail_quote', '.yahoo_quoted', '.protonmail_quote', '.tutanota_quote', 'blockquote[type="cite" i]'],
    ...['.gmail_signature', '.moz-signature', '#user-content-Signature', '.protonmail_signature_block'],
  ],
  withNext: ['.moz-cite-prefix'],
  withRest: [
    '#user-content-divRplyFwdMsg',
    '#user-content-appendonsend',
    '#user-content-mail-editor-reference-message-container',
  ],
} as const;

export const foldStyle =
  '.mayfly-fold{display:block;margin:8px 0}.mayfly-fold>summary{display:inline-block;box-sizing:border-box;min-width:40px;' +
  'padding:2px 10px;border-radius:8px;background:#e6e9e5;color:#45504a;font:600 14px/20px system-ui,sans-serif;' +
  'list-style:none;text-align:center;cursor:pointer}.mayfly-fold>summary::-webkit-details-marker{display:none}';

export const folds = `
  const marks = ${JSON.stringify(Object.fromEntries(Object.entries(marks).map(([how, names]) => [how, names.join()])))};
  const partsOf = (element) => {
    const isWithNext = matches.call(element, marks.withNext);
    const isWithRest = matches.call(element, marks.withRest);
    const parts = [element];
    for (let next = nextOf.call(element); next && (isWithNext || isWithRest); next = nextOf.call(next)) {
      parts.push(next);
      if (isWithNext && next.nodeType === 1) break;
    }
    return parts;
  };
  let foldWords = '';
  const nameFolds = () => {
    for (const handle of querySelectorAll.call(document, '.mayfly-fold > summary')) {
      if (foldWords !== '') setAttribute.call(handle, 'aria-label', foldWords);
    }
  };
  const fold = () => {
    const between = new Range();
    between.setStart(bodyOf.call(document), 0);
    let isAfterWords = false;
    for (const element of querySelectorAll.call(document, Object.values(marks).join())) {
      if (closest.call(element, '.mayfly-fold')) continue;
      if (!isAfterWords) {
        between.setEndBefore(element);
        isAfterWords = between.toString().trim() !== '';
        between.collapse();
      }
      if (!isAfterWords) continue;
      const box = createElement.call(document, 'details');
      const handle = createElement.call(document, 'summary');
      box.className = 'mayfly-fold';
      handle.textContent = '•••';
      before.call(element, box);
      append.call(box, handle, ...partsOf(element));
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
