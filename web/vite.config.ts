// The page's build, called by scripts/build-web.mjs; `npx vite web` serves the sources beside a running service.
import { defineConfig } from 'vite';

/** The address that `npm start` listens on, for requests of the page under development. */
const service = 'http://127.0.0.1:8080';

export default defineConfig({
  root: import.meta.dirname,
  // Relative, since the service may be under any path.
  base: './',
  build: {
    target: 'es2022',
    manifest: true,
    // The content security policy forbids inline assets.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // All that the first view needs is one file: in several it compresses less well.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'page', tags: ['$initial'] }] } } },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  server: { proxy: { '^/[a-z-]+(\\?|$)': service } },
});
