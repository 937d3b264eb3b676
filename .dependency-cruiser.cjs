// The rules for imports. `npm run check` runs it; docs/ARCHITECTURE.md gives the reasons.
//   domain ← store, events, observe, secrets ← service ← smtp, gmail, inbound, http, webhooks ← app ← cli ← main; http ← compat ← app
//   within service: session ← live, records ← mail, addresses ← receiving, operating ← services.ts
//   packages import nothing of src, and of one another only what tools/package-rules.cjs gives, which also says where
//   src uses their entries
// A folder that is not in `layers` may neither import nor be imported: add it there first.

const { createPackageRules } = require('./tools/package-rules.cjs');

const parts = ['store', 'events', 'observe', 'secrets'];
const edges = ['smtp', 'gmail', 'http', 'webhooks', 'compat', 'certificates', 'inbound'];

/** Folder (or file) of src/ → the other folders that it may import. */
const layers = {
  domain: [],
  ...Object.fromEntries(parts.map((part) => [part, ['domain']])),
  service: ['domain', ...parts],
  ...Object.fromEntries(edges.map((edge) => [edge, ['domain', ...parts, 'service']])),
  operator: ['domain', ...parts, 'service'],
  http: ['domain', ...parts, 'service', 'operator'],
  // It shares the listener of http: connections, limits, hosts, answers.
  compat: ['domain', ...parts, 'service', 'operator', 'http'],
  app: ['domain', ...parts, 'service', 'operator', ...edges],
  cli: ['domain', ...parts, 'service', 'operator', 'app'],
  main: ['domain', 'observe', 'service', 'app', 'cli'],
};

/** Room of src/service/ → the other rooms that it may import; services.ts binds them all. */
const rooms = {
  session: [],
  live: ['session'],
  records: ['session'],
  mail: ['session', 'live', 'records'],
  addresses: ['session', 'live', 'records'],
  search: ['session', 'live', 'mail'],
  changes: ['session', 'records', 'mail', 'search'],
  receiving: ['session', 'live', 'records', 'mail', 'addresses'],
  operating: ['session', 'live', 'records', 'mail', 'addresses'],
};

/** npm package → the only place that may import it. Packages not listed may not be imported. */
const packages = {
  pg: 'store/postgres',
  fastify: 'http',
  pino: 'observe',
  ws: 'compat',
};

const ofReader = '^packages/mail-reader/src/';

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

const roomRules = Object.entries(rooms).map(([name, allowed]) => ({
  name: `room-${name}`,
  comment: `src/service/${name} may import ${allowed.length > 0 ? allowed.join(', ') : 'no other room'}.`,
  severity: 'error',
  from: { path: `^src/service/${name}/`, pathNot: test },
  to: { path: '^src/service/', pathNot: `^src/service/${anyOf([name, ...allowed])}/` },
}));

const packageRules = Object.entries(packages).map(([name, place]) => ({
  name: `package-${name}`,
  comment: `Only src/${place} may import it, so that it can be replaced there.`,
  severity: 'error',
  from: { path: '^src/', pathNot: [`^src/${place}/`, test] },
  to: { path: `^node_modules/(@types/)?${name}(/|$)` },
}));

module.exports = {
  forbidden: [
    ...layerRules,
    ...roomRules,
    ...packageRules,
    ...createPackageRules({ parts, edges }),
    {
      name: 'only-the-edge-opens-mail',
      comment:
        'What opens mail is made only where a request proves what it brings (session-access.ts); elsewhere it is a type.',
      severity: 'error',
      from: {
        path: '^(src|web|bench|scripts|bin|packages)/',
        pathNot: ['^src/service/session/session-access[.]ts$', '^packages/sealing/', test],
      },
      to: { path: '^packages/sealing/src/reading-key[.]ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'keys-of-mail-stay-in-sealing',
      comment:
        'The functions that derive keys of mail; other folders may know its type and the size of its header.',
      severity: 'error',
      from: { path: '^(src|web|bench|scripts|bin|packages)/', pathNot: ['^packages/sealing/', test] },
      to: { path: '^packages/sealing/src/sealed-keys[.]ts$' },
    },
    {
      name: 'reader-is-pure',
      comment: 'The mail reader has no I/O from Node.',
      severity: 'error',
      from: { path: ofReader, pathNot: test },
      to: { path: '^(node:)?(?!(buffer|crypto|module|url)$)[a-z_/]+$' },
    },
    {
      name: 'inbox-commands-by-their-entries',
      comment:
        'The program declares the commands `mayfly inbox` and calls them; nothing else of src/ uses a client.',
      severity: 'error',
      from: { path: '^src/', pathNot: test },
      to: {
        path: '^(clients|node_modules/mayfly-client)/',
        pathNot: '^clients/cli/src/(commands|run)[.]ts$',
      },
    },
    {
      name: 'inbox-commands-stand-alone',
      comment: 'They use a service only through the public exports of the client.',
      severity: 'error',
      from: { path: '^clients/cli/src/', pathNot: test },
      to: {
        path: ['^(src|web|test|bench|bin)/', '^packages/', '^clients/(?!cli/)', '^node_modules/'],
        pathNot: [
          '^(clients/typescript/src/index|packages/system-errors/src/error-(code|message))[.]ts$',
          '^node_modules/@types/node/',
        ],
      },
    },
    {
      name: 'inbox-commands-in-their-place',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(cli/|main[.]ts$)', test] },
      to: { path: '^clients/' },
    },
    {
      name: 'store-sql-knows-no-engine',
      comment: 'src/store/sql uses an engine only through an Sql; only an engine opens its store.',
      severity: 'error',
      from: { path: '^src/store/(sql|transfer)/|^src/store/[^/]+[.]ts$', pathNot: test },
      to: { path: '^src/store/(sqlite|postgres)/' },
    },
    {
      name: 'engines-apart',
      comment: 'The engines are independent of each other.',
      severity: 'error',
      from: { path: '^src/store/(sqlite|postgres)/', pathNot: test },
      to: { path: '^src/store/(sqlite|postgres)/', pathNot: '^src/store/$1/' },
    },
    {
      name: 'unknown-place',
      comment: 'Every part of src/ belongs to a layer.',
      severity: 'error',
      from: { path: '^src/', pathNot: [anyOf(Object.keys(layers).map(ofPart)), test] },
      to: {},
    },
    {
      name: 'unknown-room',
      comment: 'Every use case lies in a room; only services.ts stands before them.',
      severity: 'error',
      from: {
        path: '^src/service/',
        pathNot: [`^src/service/${anyOf(Object.keys(rooms))}/`, '^src/service/services[.]ts$'],
      },
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
      comment: 'Cycles of types are refused too: neither file could be read first.',
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
        'Development dependencies are bundled into the build (scripts/bundle.mjs); dependencies are installed with the ' +
        'package. A package missing from package.json is neither, and bin/ is not bundled.',
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
        'backup and restore start pg_dump and pg_restore; `mayfly dev` starts the command that it is given; ' +
        '`mayfly quickstart` asks systemd and the system.',
      severity: 'error',
      from: {
        path: '^(src|packages/[^/]+/src)/',
        pathNot: [
          '^src/app/run-processes[.]ts$',
          '^src/cli/(postgres-copy|run-beside)[.]ts$',
          '^packages/quickstart/src/machine[.]ts$',
          test,
        ],
      },
      to: { dependencyTypes: ['core'], path: '^(node:)?(child_process|cluster)$' },
    },
    {
      name: 'one-http-client',
      comment:
        'Requests that others can cause, and look-ups, go through packages/networks and packages/mail-receiver, and their ' +
        'guards. `mayfly quickstart` asks the name servers of the operator’s own zone.',
      severity: 'error',
      from: {
        path: '^(src|packages)/',
        pathNot: [
          '^packages/(networks|mail-receiver)/',
          '^packages/quickstart/src/authoritative[.]ts$',
          test,
        ],
      },
      to: { dependencyTypes: ['core'], path: '^(node:)?(dns(/promises)?|https|http2)$' },
    },
    {
      name: 'page-stands-alone',
      comment: 'The page uses only the public interface of the service, like every other client.',
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
      comment: 'The packages of the page; each further one delays the first address.',
      severity: 'error',
      from: {
        path: '^web/(src|admin|service-worker)/',
        pathNot: ['^web/src/qr/', '^web/admin/api/sign-in[.]ts$', test],
      },
      to: {
        path: '^node_modules/',
        pathNot: '^node_modules/(preact|@preact/signals(-core)?|lucide)/',
      },
    },
    {
      name: 'package-of-passkeys',
      severity: 'error',
      from: { path: '^web/admin/api/sign-in[.]ts$' },
      to: { path: '^node_modules/', pathNot: '^node_modules/@simplewebauthn/browser/' },
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
      from: { path: '^clients/typescript/src/(?!vitest|jest-globals)', pathNot: test },
      to: { pathNot: '^clients/typescript/src/' },
    },
    {
      name: 'matchers-know-the-client-alone',
      comment: 'They run in a user’s Vitest or Jest.',
      severity: 'error',
      from: { path: '^clients/typescript/src/(vitest|jest-globals)[.]ts$' },
      to: { pathNot: '^(clients/typescript/src|node_modules/vitest|clients/node_modules/@jest)/' },
    },
    {
      name: 'mcp-server-as-published',
      comment: 'It uses only the public interface of the service, and the packages in its package.json.',
      severity: 'error',
      from: { path: '^clients/mcp/(src|bin)/', pathNot: test },
      to: {
        path: ['^(src|web|test|bench|bin)/', '^packages/', '^clients/(?!mcp/)', '^node_modules/'],
        pathNot: [
          '^packages/(mail-reader|networks)/src/[^/]+[.]ts$',
          '^clients/typescript/src/index[.]ts$',
          '^node_modules/(@modelcontextprotocol/server|tldts|zod)/',
          '^node_modules/@types/node/',
        ],
      },
    },
    {
      name: 'action-stands-alone',
      comment: 'A runner starts it from the repository, without packages installed.',
      severity: 'error',
      from: { path: '^clients/action/src/' },
      to: { pathNot: '^clients/action/src/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'fixtures-know-the-client-alone',
      comment: 'Packages for test runners build on mayfly-client and are published apart from the service.',
      severity: 'error',
      from: { path: '^clients/(playwright|cypress|testcontainers)/src/', pathNot: test },
      to: { path: '^(src|packages|web|test|bench|scripts|bin)/' },
    },
    {
      name: 'extension-knows-the-client-alone',
      comment: 'Whatever else it had would be in the package of every browser.',
      severity: 'error',
      from: { path: '^clients/extension/src/', pathNot: test },
      to: {
        pathNot: [
          '^clients/extension/src/',
          '^clients/typescript/src/index[.]ts$',
          '^clients/node_modules/@types/chrome/',
        ],
      },
    },
    {
      name: 'extension-keeps-tokens-in-its-worker',
      comment: 'Pages, and content scripts in them, have neither the client nor the code that reads tokens.',
      severity: 'error',
      from: { path: '^clients/extension/src/(page|views|shared)/', pathNot: test },
      to: { path: ['^clients/extension/src/worker/', '^clients/typescript/'] },
    },
    {
      name: 'bench-measures-from-outside',
      comment: 'The benchmark runs the built service; it may import only types from the sources.',
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
    // Programs for generated clients: their imports only exist beside a client.
    exclude: { path: ['(^|/)test/fixtures/', '^(packages|clients)/[^/]+/dist/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['mayfly-source', 'import', 'node', 'default', 'types'],
    },
  },
};
