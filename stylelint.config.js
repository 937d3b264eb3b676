// Rules for the style sheets of `web/`: colours, sizes and fonts are defined only in web/src/styles/tokens.css.
import { plugins } from './tools/stylelint-layers.mjs';

const rawColour = '/#[0-9a-f]{3,8}\\b|\\b(?:rgb|rgba|hsl|hwb|lab|lch|oklab|oklch|color|light-dark)\\(/i';
/** Matches a length that is neither 0 nor a token. */
const rawLength = '/(?<![\\w.-])-?\\d*\\.?\\d+(?:px|rem|em|ch|pt)\\b/';
const spaced = '/^(?:margin|padding|gap|row-gap|column-gap|inset|scroll-padding|scroll-margin)/';
const high = '/^(?:(?:min-|max-)?block-size|height|min-height|max-height)$/';

/** @type {import('./tools/packages.mjs').StylelintConfig} */
const config = {
  plugins,
  reportNeedlessDisables: true,
  rules: {
    'mayfly/layers': true,
    'mayfly/tokens': true,

    'annotation-no-unknown': true,
    'at-rule-no-unknown': true,
    'block-no-empty': true,
    'color-named': ['never', { ignore: ['inside-function'] }],
    'color-no-invalid-hex': true,
    'comment-no-empty': true,
    'custom-property-no-missing-var-function': true,
    'declaration-block-no-duplicate-custom-properties': true,
    'declaration-block-no-duplicate-properties': true,
    'declaration-block-no-redundant-longhand-properties': [true, { ignoreShorthands: ['/^grid/'] }],
    'declaration-block-no-shorthand-property-overrides': true,
    'declaration-no-important': true,
    'declaration-property-value-disallowed-list': {
      '/.*/': [rawColour],
      [spaced]: [rawLength],
      [high]: [rawLength],
      '/radius$/': [rawLength],
      'letter-spacing': [rawLength],
      'box-shadow': [rawLength],
      '/^(?:animation|transition)/': ['/\\d\\.?\\d*m?s\\b/'],
    },
    'declaration-property-value-allowed-list': {
      'line-height': ['1', '/^var\\(--leading-\\d+\\)$/'],
      'font-size': ['/^var\\(--type-/', 'inherit'],
      'font-weight': ['400', '500', '600', 'inherit'],
      font: [
        'inherit',
        '/^(?:[456]00 )?var\\(--type-\\d+\\) \\/ (?:1|var\\(--leading-\\d+\\)) var\\(--(?:font|mono)\\)$/',
      ],
      'z-index': ['/^(?:[0-9]|10)$/'],
    },
    'font-family-no-duplicate-names': true,
    'function-calc-no-unspaced-operator': true,
    'function-no-unknown': true,
    'keyframe-block-no-duplicate-selectors': true,
    'length-zero-no-unit': [true, { ignore: ['custom-properties'] }],
    'max-nesting-depth': [0, { ignoreAtRules: ['keyframes', 'layer', 'media'] }],
    'media-feature-name-no-unknown': true,
    'no-duplicate-at-import-rules': true,
    'no-duplicate-selectors': true,
    'no-empty-source': true,
    'no-invalid-double-slash-comments': true,
    'no-invalid-position-at-import-rule': true,
    'property-disallowed-list': [
      // Physical directions: Arabic runs right to left.
      '/^(?:margin|padding|border)-(?:left|right|top|bottom)/',
      '/^(?:min-|max-)?(?:width|height)$/',
      'left',
      'right',
      'top',
      'bottom',
      'float',
    ],
    'property-no-unknown': true,
    'selector-max-id': 0,
    'selector-max-specificity': '0,4,2',
    'selector-no-qualifying-type': [true, { ignore: ['attribute'] }],
    'selector-pseudo-class-no-unknown': true,
    'selector-pseudo-element-no-unknown': true,
    'selector-type-no-unknown': true,
    'shorthand-property-no-redundant-values': true,
    'unit-no-unknown': true,
  },
  overrides: [
    {
      files: ['web/src/styles/tokens.css'],
      rules: { 'declaration-property-value-disallowed-list': null },
    },
    {
      files: ['web/src/styles/fonts.css'],
      rules: { 'declaration-property-value-allowed-list': null },
    },
    {
      // These must override everything: hidden elements, reduced motion, print.
      files: ['web/src/styles/base.css', 'web/src/styles/reader/print.css'],
      rules: { 'declaration-no-important': null },
    },
  ],
};

export { config as default };
