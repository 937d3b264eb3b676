// Picks from the page's style sheet, as built, the rules for the few elements that the page shows before its sheet is
// here (web/src/first-request.ts). Called by scripts/build-web.mjs, which puts them into the page.

/** All simple selectors that a picked rule may have: those of the elements that web/src/first-request.ts makes, and of their parents. */
const shown = new Set(
  (
    '* html body div header main section h1 p span :root :before :after [data-theme=light] [data-theme=dark] .app .rail ' +
    '.is-folded .brand .mark .main .inbox .inbox-head .inbox-head-line .address .address-local .is-long .late ' +
    '.address-domain'
  ).split(' '),
);
/** Conditions that hold, or not, for as long as the address is alone on the page. */
const lasting = /^@media (?!print|.*\((?:hover|forced-colors|prefers-reduced-motion))/;
/** These change nothing that is seen before the page is used: there is nothing beside the name, or in its mark. */
const unseen =
  /(?<=[{;])(?:(?:-\w+-)?(?:user-select|tap-highlight-color)|(?:-moz-)?text-size-adjust|scrollbar-color|z-index|position:sticky;inset-block-start|order|(?<![\w-])color(?=:var\(--on-act\))):[^;}]*;?/g;
const property = /(?<=[{;])(--[\w-]+):([^;}]*)(?:;|(?=\}))/g;

/**
 * @param {string} sheet minified
 * @returns {string} in the sheet's layers and their order: the sheet itself overrides all of it by the same rules
 */
export function pickFirstStyle(sheet) {
  const layers = new Set(splitRules(sheet).flatMap(({ head }) => /^@layer ([\w-]+)$/.exec(head)?.[1] ?? []));
  const rules = pickRules(sheet).replaceAll(unseen, '');
  return `@layer ${[...layers].join(',')};${foldTokens(dropUnused(rules))}`.replaceAll(
    /;(?=\})|@media[^{]*\{:root\{\}\}/g,
    '',
  );
}

/** @param {string} text @returns {string} */
function pickRules(text) {
  return splitRules(text)
    .map(({ head, body }) => {
      if (head === '@keyframes late') return join(head, body);
      if (head.startsWith('@layer') || lasting.test(head)) return join(head, pickRules(body));
      return head.startsWith('@') ? '' : join(pickSelectors(head), body);
    })
    .join('');
}

/** @param {string} head @param {string} body */
function join(head, body) {
  return head === '' || body === '' ? '' : `${head}{${body}}`;
}

/** @param {string} list */
function pickSelectors(list) {
  const isShown = (/** @type {string} */ selector) =>
    selector.split(/[ >]/).every((compound) => {
      const simple = compound.match(/\[[^\]]*\]|:+[^.:[]+|\.?[\w-]+|\*/g);
      return simple?.every((one) => shown.has(one));
    });
  return list
    .split(/,(?![^(]*\))/)
    .filter(isShown)
    .join(',');
}

/** Splits into rules and at-rules with their own; statements such as `@layer a, b;` are left out. @param {string} text */
function splitRules(text) {
  /** @type {{ head: string, body: string }[]} */
  const rules = [];
  let [depth, from, open] = [0, 0, 0];
  for (const { 0: sign, index } of text.matchAll(/[{};]/g)) {
    if (sign === '{' && depth++ === 0) open = index;
    else if (sign === ';' && depth === 0) from = index + 1;
    else if (sign === '}' && --depth === 0) {
      rules.push({ head: text.slice(from, open), body: text.slice(open + 1, index) });
      from = index + 1;
    }
  }
  return rules;
}

/** Leaves out custom properties that no rule uses, and those that only they used. @param {string} style @returns {string} */
function dropUnused(style) {
  const used = new Set([...style.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
  const left = style.replace(property, (text, name) => (used.has(name) ? text : ''));
  return left === style ? style : dropUnused(left);
}

/** Puts the values of custom properties that have only one, and do not depend on others, in their places. @param {string} style */
function foldTokens(style) {
  /** @type {Map<string, string[]>} */
  const values = new Map();
  for (const [, name = '', value = ''] of style.matchAll(property)) {
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  const isPlain = (/** @type {string} */ name) =>
    values.get(name)?.length === 1 && !values.get(name)?.[0]?.includes('var(');
  return style
    .replace(property, (text, name) => (isPlain(name) ? '' : text))
    .replaceAll(/var\((--[\w-]+)\)/g, (text, name) =>
      isPlain(name) ? (values.get(name)?.[0] ?? text) : text,
    );
}
