// The effects of CSS properties on the visibility of text. A browser knows more CSS than this reader: whatever a
// browser may know and this list does not say counts as hiding.
import * as cssTree from 'css-tree';

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** They move or paint nothing far from its place, whatever their value. Without vendors' prefixes. */
const harmless = words(`
  accent-color align-content align-items align-self appearance background-attachment background-origin
  background-position background-position-x background-position-y background-repeat background-size border
  border-block border-block-color border-block-end border-block-end-color border-block-end-style
  border-block-end-width border-block-start border-block-start-color border-block-start-style
  border-block-start-width border-block-style border-block-width border-bottom border-bottom-color
  border-bottom-left-radius border-bottom-right-radius border-bottom-style border-bottom-width border-collapse
  border-color border-end-end-radius border-end-start-radius border-image border-image-outset border-image-repeat
  border-image-slice border-image-source border-image-width border-inline border-inline-color border-inline-end
  border-inline-end-color border-inline-end-style border-inline-end-width border-inline-start
  border-inline-start-color border-inline-start-style border-inline-start-width border-inline-style
  border-inline-width border-left border-left-color border-left-style border-left-width border-radius border-right
  border-right-color border-right-style border-right-width border-spacing border-start-end-radius
  border-start-start-radius border-style border-top border-top-color border-top-left-radius
  border-top-right-radius border-top-style border-top-width border-width box-align box-decoration-break
  box-direction box-flex box-ordinal-group box-orient box-pack box-sizing break-after break-before break-inside
  caption-side caret-color clear column-break-after column-break-before column-break-inside column-count column-fill
  column-gap column-rule column-rule-color column-rule-style column-rule-width column-span column-width columns
  counter-increment counter-reset counter-set cursor direction empty-cells flex flex-basis flex-direction flex-flow
  flex-grow flex-shrink flex-wrap float font-feature-settings font-kerning font-language-override
  font-optical-sizing font-palette font-smooth font-smoothing font-stretch font-style font-synthesis
  font-synthesis-small-caps font-synthesis-style font-synthesis-weight font-variant font-variant-alternates
  font-variant-caps font-variant-east-asian font-variant-emoji font-variant-ligatures font-variant-numeric
  font-variant-position font-variation-settings font-weight forced-color-adjust gap grid grid-auto-columns
  grid-auto-flow grid-auto-rows grid-column-gap grid-gap grid-row-gap grid-template grid-template-areas
  grid-template-columns grid-template-rows hanging-punctuation hyphenate-character hyphens image-rendering
  image-resolution interpolation-mode isolation justify-content justify-items justify-self line-break list-style
  list-style-image list-style-position list-style-type min-block-size min-height min-inline-size min-width
  object-fit object-position order orphans osx-font-smoothing outline-color outline-style overflow-scrolling
  overflow-wrap page page-break-after page-break-before page-break-inside place-content place-items place-self
  pointer-events print-color-adjust quotes resize row-gap ruby-align ruby-position scroll-behavior speak
  speak-as table-layout tab-size tap-highlight-color text-align text-align-all text-align-last text-autospace
  text-decoration-color text-decoration-line text-decoration-skip text-decoration-skip-ink text-decoration-style
  text-emphasis text-emphasis-color text-emphasis-position text-emphasis-style text-justify text-orientation
  text-overflow text-rendering text-shadow text-transform text-underline-offset text-underline-position text-wrap
  text-wrap-mode text-wrap-style touch-callout transform-origin transform-style transition transition-delay
  transition-duration transition-property transition-timing-function user-modify user-select white-space
  white-space-collapse white-space-trim widows will-change word-break word-wrap writing-mode
`);

/** They hide by some values, which look.ts and moved-box.ts compute. */
const computed = words(`
  background background-clip background-color background-image block-size bottom box-shadow clip clip-path color
  color-scheme content content-visibility display filter font font-family font-size height inline-size inset
  inset-block inset-block-end inset-block-start inset-inline inset-inline-end inset-inline-start left
  letter-spacing line-height margin margin-block margin-block-end margin-block-start margin-bottom margin-inline
  margin-inline-end margin-inline-start margin-left margin-right margin-top max-block-size max-height
  max-inline-size max-width opacity outline outline-offset outline-width overflow overflow-block overflow-inline
  overflow-x overflow-y padding padding-block padding-block-end padding-block-start padding-bottom padding-inline
  padding-inline-end padding-inline-start padding-left padding-right padding-top position right scale
  text-decoration text-decoration-thickness text-fill-color text-indent top transform translate vertical-align
  visibility width word-spacing z-index zoom grid-area grid-column grid-column-end grid-column-start grid-row
  grid-row-end grid-row-start
`);

/** They hide nothing by these values, and by any other may. */
const plainValues: Readonly<Record<string, RegExp>> = {
  'mix-blend-mode': /^normal$/,
  'backdrop-filter': /^none$/,
  mask: /^none$/,
  'mask-image': /^none$/,
  perspective: /^none$/,
  rotate: /^(?:none|0(?:deg)?)$/,
  animation: /^none\b/,
  'animation-name': /^none$/,
  contain: /^(?:none|layout|style|layout style)$/,
  container: /^none$/,
  'container-type': /^normal$/,
  'container-name': /./,
  'unicode-bidi': /^(?:normal|embed|isolate|plaintext)$/,
  'line-clamp': /^none$/,
  'shape-outside': /^none$/,
  'text-security': /^none$/,
  'text-stroke': /^0(?:px)?\b/,
  'text-stroke-width': /^0(?:px)?$/,
  'font-size-adjust': /^(?:none|auto)$/,
  'aspect-ratio': /^auto$/,
  'text-size-adjust': /^(?:none|auto|1\d\d%)$/,
  'background-blend-mode': /^normal$/,
};

/** Reports whether the declaration does not hide text, or is one that look.ts and moved-box.ts judge. */
export function isKnownStyle(property: string, value: string): boolean {
  if (property.startsWith('--')) return true;
  const name = property.replace(/^-(?:webkit|moz|ms|o|apple|epub)-/, '');
  if (harmless.has(name) || computed.has(name)) return true;
  const plain = plainValues[name];
  if (plain !== undefined) return plain.test(value) || /^(?:initial|unset|inherit|revert)$/.test(value);
  // No browser's: meant for one mail program alone, or a slip.
  if (name.startsWith('-')) return true;
  return !isOfBrowsers(property) && !isOfBrowsers(name);
}

const asked = new Map<string, boolean>();
const askedMax = 1_000;

function isOfBrowsers(name: string): boolean {
  const known = asked.get(name);
  if (known !== undefined) return known;
  if (asked.size >= askedMax) asked.clear();
  const isTheirs = /^[-a-z]{1,60}$/.test(name) && cssTree.lexer.getProperty(name) !== null;
  asked.set(name, isTheirs);
  return isTheirs;
}
