// How the page is built. scripts/build-web.mjs calls it; `npx vite web` serves the sources beside a running service.
import { defineConfig } from 'vite';

/** Where `npm start` listens; the page being worked on asks it. */
const service = 'http://127.0.0.1:8080';

export default defineConfig({
  root: import.meta.dirname,
  // Relative, since the service may live under any path.
  base: './',
  build: {
    target: 'es2022',
    manifest: true,
    // The policy lets nothing in that stands in the page itself.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  server: { proxy: { '^/[a-z-]+(\\?|$)': service } },
});
