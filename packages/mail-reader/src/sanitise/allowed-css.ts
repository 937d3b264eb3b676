// The allow-list of CSS: properties, functions, at-rules and pseudo-classes. Everything else is dropped, so add a name
// only if it can neither load anything nor leave the message's own box: no position beyond relative, no transform.

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

export const allowedProperties = words(`
  color opacity visibility display box-sizing float clear overflow overflow-x overflow-y vertical-align
  width min-width max-width height min-height max-height aspect-ratio object-fit object-position
  inline-size min-inline-size max-inline-size block-size min-block-size max-block-size
  top right bottom left inset inset-block inset-inline
  margin margin-top margin-right margin-bottom margin-left margin-block margin-inline
  margin-block-start margin-block-end margin-inline-start margin-inline-end
  padding padding-top padding-right padding-bottom padding-left padding-block padding-inline
  padding-block-start padding-block-end padding-inline-start padding-inline-end
  border border-top border-right border-bottom border-left border-width border-style border-color
  border-top-width border-right-width border-bottom-width border-left-width
  border-top-style border-right-style border-bottom-style border-left-style
  border-top-color border-right-color border-bottom-color border-left-color
  border-radius border-top-left-radius border-top-right-radius border-bottom-left-radius
  border-bottom-right-radius border-collapse border-spacing border-block border-inline
  border-block-start border-block-end border-inline-start border-inline-end
  border-image border-image-source border-image-slice border-image-width border-image-outset border-image-repeat
  outline outline-color outline-style outline-width outline-offset box-shadow
  background background-color background-image background-repeat background-position background-position-x
  background-position-y background-size background-clip background-origin background-attachment
  background-blend-mode mix-blend-mode isolation filter cursor
  mask mask-image mask-size mask-repeat mask-position mask-clip mask-origin mask-mode mask-composite
  -webkit-mask -webkit-mask-image -webkit-mask-size -webkit-mask-repeat -webkit-mask-position
  font font-family font-size font-style font-weight font-variant font-stretch font-size-adjust font-kerning
  font-feature-settings font-variant-numeric font-variant-caps line-height letter-spacing word-spacing
  text-align text-align-last text-decoration text-decoration-color text-decoration-line text-decoration-style
  text-decoration-thickness text-underline-offset text-indent text-overflow text-rendering text-shadow
  text-transform text-wrap white-space word-break word-wrap overflow-wrap hyphens tab-size
  line-break direction unicode-bidi writing-mode text-orientation quotes content
  list-style list-style-type list-style-position list-style-image table-layout caption-side empty-cells
  columns column-count column-width column-gap column-rule column-rule-color column-rule-style column-rule-width
  column-span column-fill break-before break-after break-inside page-break-before page-break-after
  page-break-inside orphans widows
  flex flex-basis flex-direction flex-flow flex-grow flex-shrink flex-wrap order gap row-gap
  align-content align-items align-self justify-content justify-items justify-self place-content place-items
  place-self grid grid-area grid-auto-columns grid-auto-flow grid-auto-rows grid-column grid-column-end
  grid-column-start grid-row grid-row-end grid-row-start grid-template grid-template-areas
  grid-template-columns grid-template-rows grid-gap
  position color-scheme accent-color forced-color-adjust container container-type container-name
  -webkit-text-size-adjust -ms-text-size-adjust text-size-adjust -webkit-font-smoothing
  -moz-osx-font-smoothing -webkit-text-fill-color -webkit-background-clip -webkit-box-sizing
  -webkit-border-radius -moz-border-radius -webkit-line-clamp -webkit-box-orient
`);

/** Values of `position` that stay in the flow. */
export const allowedPositions = words('static relative initial inherit unset revert');

/** Properties in which quoted text is useful; elsewhere a string is a resource to load or a trick. */
export const textProperties = words(
  'content quotes font font-family font-feature-settings text-overflow list-style-type list-style grid-template-areas grid-template grid hyphens',
);

export const allowedFunctions = words(`
  rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark
  var calc min max clamp minmax fit-content repeat counter counters
  blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia
  linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient
  repeating-conic-gradient -webkit-linear-gradient -webkit-radial-gradient -moz-linear-gradient
`);

export const allowedPseudoClasses = words(`
  active any-link checked empty first-child first-of-type focus focus-visible focus-within hover is lang last-child
  last-of-type link not nth-child nth-last-child nth-last-of-type nth-of-type only-child only-of-type root visited where
`);

export const allowedPseudoElements = words('after before first-letter first-line marker');

/** At-rules that only choose which rules apply. */
export const allowedAtRules = words('media supports layer container');

/** Functions that draw a picture from elsewhere. */
export const pictureFunctions = words(
  'image-set -webkit-image-set image cross-fade -webkit-cross-fade element -moz-element paint src',
);

export interface PictureProperty {
  /** The part that goes if its picture may not be shown: the picture alone, or everything between two commas. */
  readonly loses: 'picture' | 'layer';
  /** Stands for a layer, or the whole value, when nothing of it is left. */
  readonly none: string;
}

const alone = (none: string): PictureProperty => ({ loses: 'picture', none });

/** Properties that may show a picture. */
export const pictureProperties: ReadonlyMap<string, PictureProperty> = new Map([
  ...[
    ...words(
      'background background-image mask mask-image -webkit-mask -webkit-mask-image list-style-image filter',
    ),
  ].map((name) => [name, alone('none')] as const),
  // A list whose picture is missing has the usual sign.
  ['list-style', alone('disc')],
  ['content', alone('""')],
  ['border-image', { loses: 'layer', none: 'none' }],
  ['border-image-source', alone('none')],
  ['cursor', { loses: 'layer', none: 'auto' }],
]);

/** Those of them whose pictures are shown; elsewhere a picture would hide or stand for something of the reader's. */
export const shownPictures = words(
  'background background-image list-style list-style-image content border-image border-image-source',
);
