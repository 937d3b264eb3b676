// How the features of caniemail's data are found in a message: the same tests as those of Mailpit's HTML check (MIT), so
// that both find the same. Expressions use its white space, which is that of CSS.

/** Selectors of elements. `html-body` is found by its closing tag, because a parser always makes one. */
export const elementTests: Readonly<Record<string, string>> = {
  'html-object': 'object, embed, image, pdf',
  'html-link': 'link',
  'html-hr': 'hr',
  'html-dialog': 'dialog',
  'html-srcset': '[srcset]',
  'html-picture': 'picture',
  'html-svg': 'svg',
  'html-progress': 'progress',
  'html-required': '[required]',
  'html-meter': 'meter',
  'html-audio': 'audio',
  'html-form': 'form',
  'html-input-submit': 'submit',
  'html-button-reset': 'button[type="reset"]',
  'html-button-submit': 'submit, button[type="submit"]',
  'html-base': 'base',
  'html-input-checkbox': 'checkbox',
  'html-input-hidden': '[type="hidden"]',
  'html-input-radio': 'radio',
  'html-input-text': 'input[type="text"]',
  'html-video': 'video',
  'html-semantics':
    'article, aside, details, figcaption, figure, footer, header, main, mark, nav, section, summary, time',
  'html-select': 'select',
  'html-textarea': 'textarea',
  'html-anchor-links': 'a[href^="#"]',
  'html-style': 'style',
  'html-image-maps': 'map, img[usemap]',
};
export const bodyFeature = 'html-body';
export const closedBody = /<\/body>/i;

/** By the address of a picture. */
export const pictureTests: Readonly<Record<string, RegExp>> = {
  'image-apng': /\.apng$/i,
  'image-avif': /\.avif$/i,
  'image-base64': /^data:image\//i,
  'image-bmp': /\.bmp$/i,
  'image-gif': /\.gif$/i,
  'image-hdr': /\.hdr$/i,
  'image-heif': /\.heif$/i,
  'image-ico': /\.ico$/i,
  'image-mp4': /\.mp4$/i,
  'image-svg': /\.svg$/i,
  'image-tiff': /\.tiff?$/i,
  'image-webp': /\.webp$/i,
};
/** How many tests of pictures Mailpit counts: one more, which its data lacks. */
export const pictureTestCount = 13;

/** Attributes that stand for a property. */
export const attributeTests: Readonly<Record<string, string>> = {
  'css-background-color': 'bgcolor',
  'css-background': 'background',
  'css-border': 'border',
  'css-height': 'height',
  'css-padding': 'padding',
  'css-width': 'width',
};

const properties =
  'accent-color align-items aspect-ratio background-blend-mode background-clip background-color background-image ' +
  'background-origin background-position background-repeat background-size background block-inline-size border-image ' +
  'border-radius border box-shadow box-sizing caption-side clip-path column-count column-layout-properties ' +
  'conic-gradient direction display filter flex-direction flex-wrap float font-kerning font-weight font gap ' +
  'grid-template height hyphens inline-size intrinsic-size justify-content letter-spacing line-height ' +
  'list-style-image list-style-position list-style margin-inline-block margin-inline margin max-block-size max-height ' +
  'max-width min-height min-inline-size min-width mix-blend-mode modern-color object-fit object-position opacity ' +
  'outline-offset outline overflow-wrap overflow padding-inline-block padding position radial-gradient tab-size ' +
  'table-layout text-align-last text-align text-decoration-color text-decoration-thickness text-decoration ' +
  'text-emphasis-position text-emphasis text-indent text-overflow text-shadow text-transform text-underline-offset ' +
  'transform variables visibility white-space width word-break writing-mode z-index';
/** Property → feature. */
export const propertyTests: ReadonlyMap<string, string> = new Map([
  ...properties.split(' ').map((name) => [name, `css-${name}`] as const),
  ['border-inline', 'css-border-inline-block-individual'],
  ['roll-snap', 'css-scroll-snap'],
  ...['margin-block', 'margin-inline', 'padding-block', 'padding-inline'].flatMap((name) =>
    ['start', 'end'].map((side) => [`${name}-${side}`, `css-${name}-start-end`] as const),
  ),
]);
/** The names in a style that a colon follows. */
export const declared = /(?<=^|[\t\n\f\r ;])([a-z-]+)[\t\n\f\r ]*:/gi;
/** How many tests of styles Mailpit counts, attributes included. */
export const styleTestCount = 107;

/** Tests of a style besides those for the names of properties. */
export const styleTests: Readonly<Record<string, RegExp>> = {
  'css-display-flex': /(?:^|[\t\n\f\r ;])display[\t\n\f\r ]*:[\t\n\f\r ]*flex(?:$|[\t\n\f\r ;])/i,
  'css-display-grid': /(?:^|[\t\n\f\r ;])display:grid/i,
  'css-display-none': /(?:^|[\t\n\f\r ;])display:none/i,
  'css-important': /!important(?:$|[\t\n\f\r ;])/i,
  'css-rgb': /[\t\n\f\r :]rgb\(/i,
  'css-rgba': /[\t\n\f\r :]rgba\(/i,
  'css-unit-calc': /[\t\n\f\r :]calc\(/i,
};

/** Each occurrence in the styles of elements counts. */
export const unitTests: Readonly<Record<string, RegExp>> = {
  'css-unit-ch': /\b\d+ch\b/g,
  'css-unit-initial': /:[\t\n\f\r ]?initial\b/g,
  'css-unit-rem': /\b\d+rem\b/g,
  'css-unit-vh': /\b\d+vh\b/g,
  'css-unit-vmax': /\b\d+vmax\b/g,
  'css-unit-vmin': /\b\d+vmin\b/g,
  'css-unit-vw': /\b\d+vw\b/g,
};

/** Each occurrence in style sheets counts. */
export const sheetTests: Readonly<Record<string, RegExp>> = {
  'css-at-font-face': /@font-face[\t\n\f\r ]+?\{/gi,
  'css-at-import': /@import[\t\n\f\r ]/gi,
  'css-at-keyframes': /@keyframes[\t\n\f\r ]/gi,
  'css-at-media': /@media[\t\n\f\r ]?\(/gi,
  'css-at-supports': /@supports[\t\n\f\r ]?\(/gi,
  'css-pseudo-class-active': /:active/g,
  'css-pseudo-class-checked': /:checked/g,
  'css-pseudo-class-first-child': /:first-child/g,
  'css-pseudo-class-first-of-type': /:first-of-type/g,
  'css-pseudo-class-focus': /:focus/g,
  'css-pseudo-class-has': /:has/g,
  'css-pseudo-class-hover': /:hover/g,
  'css-pseudo-class-lang': /:lang[\t\n\f\r ]?\(/g,
  'css-pseudo-class-last-child': /:last-child/g,
  'css-pseudo-class-last-of-type': /:last-of-type/g,
  'css-pseudo-class-link': /:link/g,
  'css-pseudo-class-not': /:not[\t\n\f\r ]*\(/g,
  'css-pseudo-class-nth-child': /:nth-child[\t\n\f\r ]*\(/g,
  'css-pseudo-class-nth-last-child': /:nth-last-child[\t\n\f\r ]*\(/g,
  'css-pseudo-class-nth-last-of-type': /:nth-last-of-type[\t\n\f\r ]*\(/g,
  'css-pseudo-class-nth-of-type': /:nth-of-type[\t\n\f\r ]*\(/g,
  'css-pseudo-class-only-child': /:only-child[\t\n\f\r ]*\(/g,
  'css-pseudo-class-only-of-type': /:only-of-type[\t\n\f\r ]*\(/g,
  'css-pseudo-class-target': /:target/g,
  'css-pseudo-class-visited': /:visited/g,
  'css-pseudo-element-after': /:after/g,
  'css-pseudo-element-before': /:before/g,
  'css-pseudo-element-first-letter': /::first-letter/g,
  'css-pseudo-element-first-line': /::first-line/g,
  'css-pseudo-element-marker': /::marker/g,
  'css-pseudo-element-placeholder': /::placeholder/g,
};
