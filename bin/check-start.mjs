// Says in one line why the program cannot run here: Node.js too old, or packages missing or made for another version.
// Runs before everything else, so it uses neither packages nor syntax that an old Node.js lacks.
import fs from 'fs';
import { createRequire } from 'module';
import { fileURLToPath } from 'url';
import { refuseNode } from './node-range.mjs';

const requireHere = createRequire(import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));
/** These open no store, so they work without its driver. */
const storeless = ['inbox', 'sendmail', 'help', 'version', 'completion', '-h', '--help', '-v', '--version'];

/** Returns '' when nothing is in the way. @returns {string} */
export function refuseStart() {
  const manifest = JSON.parse(fs.readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const refusal = refuseNode(process.versions.node, manifest.engines.node);
  if (refusal !== '') return refusal;
  const isClone = fs.existsSync(new URL('../src/main.ts', import.meta.url));
  if (isClone && !fs.existsSync(new URL('../node_modules/rolldown', import.meta.url))) {
    return `The packages are not installed: run \`npm ci\` in ${root}`;
  }
  const words = process.argv.slice(2);
  const opensStore = words.length > 0 && !storeless.includes(words[0] || '') && !words.includes('--help');
  const isShared = /^postgres/i.test(process.env.MAYFLY_STORE_URL || '') && words[0] !== 'dev';
  return opensStore && !isShared ? refuseDriver(isClone) : '';
}

/**
 * `better-sqlite3` is the only package with native code. That of a clone is fetched or compiled when it is installed; that
 * of an installation brings bindings.
 * @param {boolean} isClone
 */
function refuseDriver(isClone) {
  try {
    const Database = requireHere('better-sqlite3');
    new Database(':memory:').close();
    return '';
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { message } = error;
    const code = 'code' in error ? error.code : undefined;
    const reason = message.split('\n')[0] || '';
    if (code === 'MODULE_NOT_FOUND' && reason.includes("'better-sqlite3'")) {
      const command = isClone ? `run \`npm ci\` in ${root}` : 'install mayfly again';
      return `The database driver better-sqlite3 is not installed: ${command}`;
    }
    const remedy = isClone ? `: run \`npm rebuild better-sqlite3\` in ${root}` : '';
    return (
      `The database driver better-sqlite3 has no binding for Node.js ${process.versions.node} on ${process.platform} ` +
      `${process.arch}${remedy} (${reason})`
    );
  }
}
