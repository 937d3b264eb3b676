// The packages that go into the page's bundle, whose licenses are shipped with it. build-web.mjs refuses any other.
export const pagePackages = [
  'preact',
  '@preact/signals',
  '@preact/signals-core',
  '@simplewebauthn/browser',
  'uqr',
  'lucide',
  '@fontsource-variable/geist',
];
