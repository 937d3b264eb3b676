// The rules for imports of packages/ and from it, as a part of .dependency-cruiser.cjs.

/** @typedef {{ readonly parts: readonly string[], readonly edges: readonly string[] }} Folders of src/ */

const test = '[.]test[.]tsx?$';
const ofPart = (/** @type {string} */ name) => `^src/${name}(/|[.]ts$)`;
const anyOf = (/** @type {readonly string[]} */ patterns) => `(${patterns.join('|')})`;

/** @typedef {{ readonly npm: readonly string[], readonly uses?: readonly string[], readonly usedBy: readonly string[] }} OwnPackage */

/**
 * Returns, by folder of packages/, the npm packages and the other packages that it may import, and the folders of src/
 * that may import its entries (src/*.ts). A package that is not here may not be imported.
 * @param {Folders} folders
 * @returns {Readonly<Record<string, OwnPackage>>}
 */
function listPackages(folders) {
  return { ...listOfMail(folders), ...listOthers(folders) };
}

/** @param {Folders} folders @returns {Readonly<Record<string, OwnPackage>>} */
function listOfMail({ edges }) {
  return {
    'mail-reader': {
      npm: ['dompurify', 'jsdom', 'css-tree', 'parse5', 'iconv-lite'],
      usedBy: ['service', ...edges, 'cli'],
    },
    'mail-receiver': {
      npm: ['mailauth'],
      uses: ['system-errors'],
      usedBy: ['domain', 'service', 'operator', ...edges, 'app', 'cli'],
    },
    'smtp-listener': {
      npm: [],
      uses: ['mail-receiver', 'networks', 'telemetry', 'certificates'],
      usedBy: ['smtp', 'app'],
    },
    names: { npm: [], usedBy: ['service'] },
    'gmail-aliases': {
      npm: [],
      uses: ['mail-reader', 'mail-receiver'],
      usedBy: ['service', 'gmail'],
    },
    maildir: { npm: [], uses: ['system-errors'], usedBy: ['app', 'cli'] },
    senders: {
      npm: [],
      uses: ['mail-reader', 'mail-receiver', 'http-parts', 'notifications'],
      usedBy: ['compat'],
    },
    'mail-report': { npm: ['parse5'], usedBy: ['service', ...edges] },
    'mail-threads': {
      npm: [],
      uses: ['mail-reader', 'mail-receiver', 'mail-report', 'networks', 'threads'],
      usedBy: ['service', 'http', 'app'],
    },
    'mail-frame': { npm: [], usedBy: ['http'] },
    'mail-query': { npm: [], usedBy: ['service', 'http'] },
    'imap-reader': {
      npm: ['imapflow'],
      uses: ['system-errors'],
      usedBy: ['secrets', 'gmail', 'operator', 'app', 'service'],
    },
    inbound: { npm: [], usedBy: ['service', 'operator', 'inbound', 'app'] },
    'unix-mail': { npm: [], usedBy: ['service', 'http', 'cli'] },
  };
}

/** @param {Folders} folders @returns {Readonly<Record<string, OwnPackage>>} */
function listOthers({ parts, edges }) {
  return {
    config: {
      npm: [],
      uses: ['mail-receiver', 'notifications', 'passkeys', 'system-errors', 'values'],
      usedBy: ['app', 'cli', 'main'],
    },
    'command-line': { npm: [], uses: ['system-errors'], usedBy: ['operator', 'cli', 'main'] },
    backups: { npm: [], uses: ['system-errors', 'telemetry'], usedBy: ['cli'] },
    acme: { npm: [], usedBy: ['certificates'] },
    audit: { npm: [], usedBy: ['store', 'service', 'operator', 'http', 'app', 'cli'] },
    passkeys: {
      npm: ['@simplewebauthn/server'],
      usedBy: ['store', 'service', 'http', 'operator'],
    },
    sealing: {
      npm: [],
      uses: ['system-errors'],
      usedBy: ['domain', 'secrets', 'service', 'http', 'compat', 'webhooks', 'app'],
    },
    certificates: {
      npm: [],
      uses: ['acme', 'networks', 'sealing', 'system-errors', 'telemetry'],
      usedBy: ['certificates', 'smtp', 'http', 'compat', 'app'],
    },
    quickstart: {
      npm: [],
      uses: ['command-line', 'doctor', 'mail-receiver', 'networks', 'system-errors', 'telemetry'],
      usedBy: ['cli'],
    },
    doctor: {
      npm: [],
      uses: ['networks', 'system-errors', 'telemetry'],
      usedBy: ['service', 'operator', 'app', 'cli'],
    },
    networks: {
      npm: [],
      usedBy: ['store', 'service', ...edges, 'app', 'cli'],
    },
    'web-pages': { npm: [], uses: ['http-parts', 'values'], usedBy: ['http', 'app'] },
    values: { npm: [], usedBy: ['domain', 'service', 'operator', ...edges, 'app', 'cli'] },
    notifications: {
      npm: [],
      uses: ['networks', 'system-errors', 'telemetry'],
      usedBy: ['store', 'secrets', 'service', 'http', 'compat', 'webhooks', 'app'],
    },
    'http-parts': { npm: [], uses: ['networks', 'values'], usedBy: ['http', 'compat', 'inbound', 'app'] },
    postgres: { npm: ['pg'], uses: ['system-errors', 'telemetry'], usedBy: ['store'] },
    'group-commit': { npm: ['better-sqlite3'], uses: ['system-errors'], usedBy: ['store'] },
    'system-errors': {
      npm: [],
      usedBy: ['domain', ...parts, ...edges, 'service', 'app', 'cli'],
    },
    telemetry: {
      npm: [],
      usedBy: ['domain', ...parts, ...edges, 'service', 'operator', 'app', 'cli', 'main'],
    },
    threads: { npm: [], uses: ['networks', 'system-errors'], usedBy: ['compat', 'app', 'cli'] },
  };
}

/** @param {Folders} folders */
function createPackageRules(folders) {
  const ownPackages = listPackages(folders);
  const rules = Object.entries(ownPackages).flatMap(([name, { npm, uses = [], usedBy }]) => [
    {
      name: `${name}-stands-alone`,
      comment: `It can be understood, tested and used without the service, with ${uses.join(', ') || 'no other package'}.`,
      severity: 'error',
      from: { path: `^packages/${name}/src/`, pathNot: test },
      to: {
        path: [
          '^(src|web|test|bench|scripts|bin|clients)/',
          `^packages/(?!${[name, ...uses].map((one) => `${one}/`).join('|')})`,
        ],
      },
    },
    {
      name: `npm-of-${name}`,
      severity: 'error',
      from: { path: `^packages/${name}/src/`, pathNot: test },
      to: {
        path: '^node_modules/',
        pathNot: anyOf(['@types/node', ...npm].map((one) => `^node_modules/(@types/)?${one}(/|$)`)),
      },
    },
    {
      name: `${name}-by-its-entries`,
      comment: 'Only the files directly in its src/ may be imported.',
      severity: 'error',
      from: { path: ['^(src|web|test|bench|scripts|bin)/', `^packages/(?!${name}/)`] },
      to: { path: `^packages/${name}/src/[^/]+/` },
    },
    {
      name: `${name}-in-its-place`,
      comment: `Of src/, ${usedBy.join(', ')} may use it.`,
      severity: 'error',
      from: { path: '^src/', pathNot: [anyOf(usedBy.map(ofPart)), test] },
      to: { path: `^packages/${name}/` },
    },
  ]);
  return [
    ...rules,
    {
      name: 'unknown-own-package',
      severity: 'error',
      from: { path: '^src/', pathNot: test },
      to: {
        path: '^packages/',
        pathNot: anyOf(Object.keys(ownPackages).map((name) => `^packages/${name}/`)),
      },
    },
  ];
}

module.exports = { createPackageRules };
