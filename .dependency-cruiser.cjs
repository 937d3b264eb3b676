// What may import what. `npm run check` runs it; docs/ARCHITECTURE.md tells why.
//   domain ← store, reading, events, net, limits, observe, secrets ← service ← smtp, gmail, http, webhooks, cli ← app ← main; http ← compat ← app
//   domain ← threads ← reading, net, service
//   packages/mail-reader ← reading, service, smtp, gmail, http, webhooks, cli, compat
//   service ← operator ← http, cli
// A folder that is not in LAYERS may not be imported, and may not import: add it here first.

const parts = ['store', 'reading', 'events', 'net', 'limits', 'observe', 'secrets', 'threads'];
const edges = ['smtp', 'gmail', 'http', 'webhooks', 'cli', 'compat'];

/** Folder (or file) of src/ → what else of src/ it may import. Its own files it always may. */
const layers = {
  domain: [],
  config: ['domain'],
  ...Object.fromEntries(parts.map((part) => [part, ['domain']])),
  reading: ['domain', 'threads'],
  net: ['domain', 'threads'],
  service: ['domain', ...parts],
  ...Object.fromEntries(edges.map((edge) => [edge, ['domain', ...parts, 'service']])),
  operator: ['domain', ...parts, 'service'],
  http: ['domain', ...parts, 'service', 'operator'],
  // It stands on the listener of http: connections, limits, hosts, answers.
  compat: ['domain', ...parts, 'service', 'operator', 'http'],
  cli: ['domain', ...parts, 'service', 'operator', 'config'],
  app: ['domain', ...parts, 'service', 'operator', ...edges, 'config'],
  main: ['domain', ...parts, 'service', 'operator', ...edges, 'config', 'app'],
};

/** npm package → the one place that may import it. A package that is not here may not be imported. */
const packages = {
  'better-sqlite3': 'store/sqlite',
  pg: 'store/postgres',
  fastify: 'http',
  pino: 'observe',
  imapflow: 'gmail',
  mailauth: 'net',
};

/** What packages/mail-reader may import. */
const readerPackages = ['dompurify', 'jsdom', 'css-tree', 'parse5', 'iconv-lite'];
const ofReader = '^packages/mail-reader/src/';
const usesReader = ['reading', 'service', ...edges];

const test = '[.]test[.]tsx?$';
const ofPart = (/** @type {string} */ name) => `^src/${name}(/|[.]ts$)`;
const anyOf = (/** @type {readonly string[]} */ patterns) => `(${patterns.join('|')})`;

const layerRules = Object.entries(layers).map(([name, allowed]) => ({
  name: `layer-${name}`,
  comment: `src/${name} may import ${allowed.length > 0 ? allowed.join(', ') : 'no other folder'}.`,
  severity: 'error',
  from: { path: ofPart(name), pathNot: test },
  to: { path: '^src/', pathNot: anyOf([name, ...allowed].map(ofPart)) },
}));

const packageRules = Object.entries(packages).map(([name, place]) => ({
  name: `package-${name}`,
  comment: `Only src/${place} may import it, so that it can be replaced there.`,
  severity: 'error',
  from: { path: '^src/', pathNot: [`^src/${place}/`, test] },
  to: { path: `^node_modules/(@types/)?${name}(/|$)` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...layerRules,
    ...packageRules,
    {
      name: 'reader-stands-alone',
      comment:
        'The package is pure and published alone: it imports nothing of the service, and of Node no way out.',
      severity: 'error',
      from: { path: ofReader, pathNot: test },
      to: {
        path: ['^(src|web|test|bench|scripts|bin)/', '^(node:)?(?!(buffer|crypto|module|url)$)[a-z_/]+$'],
      },
    },
    {
      name: 'packages-of-reader',
      severity: 'error',
      from: { path: ofReader, pathNot: test },
      to: {
        path: '^node_modules/',
        pathNot: anyOf(readerPackages.map((name) => `^node_modules/(@types/)?${name}(/|$)`)),
      },
    },
    {
      name: 'reader-by-its-entries',
      comment: 'What the package exports is what its package.json names.',
      severity: 'error',
      from: { path: '^(src|web|test|bench|scripts|bin)/' },
      to: { path: ofReader, pathNot: `${ofReader}[^/]+[.]ts$` },
    },
    {
      name: 'reader-in-its-place',
      severity: 'error',
      from: { path: '^src/', pathNot: [anyOf(usesReader.map(ofPart)), test] },
      to: { path: '^packages/' },
    },
    {
      name: 'client-for-inbox-commands',
      comment: 'The commands `mayfly inbox` are a client like any other, by what the client exports.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/cli/inbox/', test] },
      to: { path: '^(clients|node_modules/mayfly-client)/' },
    },
    {
      name: 'client-by-its-entry',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^clients/', pathNot: '^clients/typescript/src/index[.]ts$' },
    },
    {
      name: 'store-sql-knows-no-engine',
      comment: 'What src/store/sql needs of an engine comes to it as an Sql; only an engine opens its store.',
      severity: 'error',
      from: { path: '^src/store/(sql|transfer)/|^src/store/[^/]+[.]ts$', pathNot: test },
      to: { path: '^src/store/(sqlite|postgres)/' },
    },
    {
      name: 'engines-apart',
      comment: 'Neither engine knows the other.',
      severity: 'error',
      from: { path: '^src/store/(sqlite|postgres)/', pathNot: test },
      to: { path: '^src/store/(sqlite|postgres)/', pathNot: '^src/store/$1/' },
    },
    {
      name: 'unknown-place',
      comment: 'Every part of src/ has its place among the layers.',
      severity: 'error',
      from: { path: '^src/', pathNot: [anyOf(Object.keys(layers).map(ofPart)), test] },
      to: {},
    },
    {
      name: 'unknown-package',
      comment: 'Every npm package of src/ has one place that may import it.',
      severity: 'error',
      from: { path: '^src/', pathNot: test },
      to: {
        path: '^node_modules/',
        pathNot: anyOf(Object.keys(packages).map((name) => `^node_modules/(@types/)?${name}(/|$)`)),
      },
    },
    {
      name: 'no-cycle',
      comment: 'Types alone may not close a circle either: neither file can then be read first.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-test-code-in-production',
      severity: 'error',
      from: { path: '^(src|packages/[^/]+/src|bin|scripts)/', pathNot: test },
      to: { path: ['^test/', '^packages/[^/]+/test/', test] },
    },
    {
      name: 'nothing-installed-for-npm-test',
      comment:
        'Tests of `npm test` start neither the built service nor a program of another package: see test/system/.',
      severity: 'error',
      from: {
        path: [
          '^(src|packages|web|bench)/.*' + test,
          '^test/integration/.*' + test,
          '^test/contract/sqlite' + test,
        ],
        pathNot: '[.](timing|long)' + test,
      },
      to: {
        reachable: true,
        path: [
          '^test/support/(mayfly-process|run-program|postgres-server|app-page)[.]ts$',
          '^test/support/(dovecot|haproxy|nginx-proxy|pgbouncer|postfix-relay|unbound|faketime|faulty-disk)[.]ts$',
          '^node_modules/playwright-core/',
        ],
      },
    },
    {
      name: 'bundled-or-installed',
      comment:
        'Development dependencies are bundled into the build (scripts/bundle.mjs), and what is installed with the ' +
        'package stays outside of it. What is not in package.json is neither, and bin/ is not bundled.',
      severity: 'error',
      from: { path: '^(src|packages/[^/]+/src|bin)/', pathNot: test },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-dev-dependency-in-bin',
      severity: 'error',
      from: { path: '^bin/' },
      to: { dependencyTypes: ['npm-dev'] },
    },
    {
      name: 'no-child-process',
      comment:
        'The service starts no other program; run-processes.ts starts more of this one (`serve --processes`), and ' +
        'the commands backup and restore start pg_dump and pg_restore, `inbox open` the browser.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '^src/app/run-processes[.]ts$',
          '^src/cli/postgres-copy[.]ts$',
          '^src/cli/inbox/open-page[.]ts$',
          test,
        ],
      },
      to: { dependencyTypes: ['core'], path: '^(node:)?(child_process|cluster)$' },
    },
    {
      name: 'one-http-client',
      comment: 'Requests that others can cause, and look-ups, go through src/net and its guards.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/net/', test] },
      to: { dependencyTypes: ['core'], path: '^(node:)?(dns(/promises)?|https|http2)$' },
    },
    {
      name: 'page-stands-alone',
      comment: 'The page knows the service by its interface alone, as every other client does.',
      severity: 'error',
      from: { path: '^web/(?!vite[.]config)', pathNot: test },
      to: { path: '^(src|test|bench|scripts|bin)/' },
    },
    {
      name: 'service-stands-alone',
      comment: 'The service serves the page as files and imports nothing of it.',
      severity: 'error',
      from: { path: '^(src|bench|bin)/' },
      to: { path: '^web/' },
    },
    {
      name: 'package-of-page',
      comment: 'What the page may be made of; each package more is bytes before the first address.',
      severity: 'error',
      from: { path: '^web/(src|admin|service-worker)/', pathNot: ['^web/src/qr/', test] },
      to: {
        path: '^node_modules/',
        pathNot: '^node_modules/(preact|@preact/signals(-core)?|lucide|eventsource-parser)/',
      },
    },
    {
      name: 'package-of-qr-code',
      severity: 'error',
      from: { path: '^web/src/qr/', pathNot: test },
      to: { path: '^node_modules/', pathNot: '^node_modules/(preact|@preact/signals(-core)?|uqr)/' },
    },
    {
      name: 'no-node-in-page',
      severity: 'error',
      from: { path: '^web/(src|admin|service-worker)/', pathNot: test },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'client-stands-alone',
      comment: 'It runs without Node, and has no dependencies.',
      severity: 'error',
      from: { path: '^clients/typescript/src/', pathNot: test },
      to: { pathNot: '^clients/typescript/src/' },
    },
    {
      name: 'mcp-server-as-published',
      comment:
        'It knows the service by its interface alone; of other packages it has what its package.json names.',
      severity: 'error',
      from: { path: '^clients/mcp/(src|bin)/', pathNot: test },
      to: {
        path: ['^(src|web|test|bench|bin)/', '^packages/', '^clients/(?!mcp/)', '^node_modules/'],
        pathNot: [
          '^packages/mail-reader/src/[^/]+[.]ts$',
          '^clients/typescript/src/index[.]ts$',
          '^node_modules/(@modelcontextprotocol/server|tldts|zod)/',
          '^node_modules/@types/node/',
        ],
      },
    },
    {
      name: 'action-stands-alone',
      comment: 'A runner starts it as it lies in the repository, without packages.',
      severity: 'error',
      from: { path: '^clients/action/src/' },
      to: { pathNot: '^clients/action/src/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'fixtures-know-the-client-alone',
      comment:
        'What is made for a test runner stands on mayfly-client, and is published apart from the service.',
      severity: 'error',
      from: { path: '^clients/(playwright|cypress|testcontainers)/src/', pathNot: test },
      to: { path: '^(src|packages|web|test|bench|scripts|bin)/' },
    },
    {
      name: 'bench-measures-from-outside',
      comment: 'The benchmark talks to the built service; of the sources it may know types.',
      severity: 'error',
      from: { path: '^bench/' },
      to: { path: '^src/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Programs for generated clients: what they import exists only beside a client.
    exclude: { path: ['(^|/)test/fixtures/', '^(packages|clients)/[^/]+/dist/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['mayfly-source', 'import', 'node', 'default', 'types'],
    },
  },
};
