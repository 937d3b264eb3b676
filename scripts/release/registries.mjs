// Finds out whether something is published already: a release that failed half-way is run again, and leaves that alone.
import { run } from './run.mjs';

/** Where npm publishes. */
export function npmRegistry() {
  return run('npm', ['config', 'get', 'registry'], '.').trim().replace(/\/?$/, '/');
}

/**
 * Returns the versions of a package that npm has; none if it has no such package.
 * @param {string} registry
 * @param {string} name
 * @returns {Promise<string[]>}
 */
export async function listVersions(registry, name) {
  const response = await fetch(registry + name.replace('/', '%2f'), {
    headers: { accept: 'application/vnd.npm.install-v1+json' },
  });
  if (response.status === 404) return [];
  if (!response.ok) throw new Error(`${response.url} was answered ${response.status}.`);
  /** @type {{ versions?: object }} */
  const { versions = {} } = /** @type {any} */ (await response.json());
  return Object.keys(versions);
}

/**
 * Returns the commit of a tag of the repository that `origin` names; undefined if it is not there.
 * @param {string} tag
 * @param {string} root
 */
export function findTag(tag, root) {
  const [line = ''] = run('git', ['ls-remote', 'origin', `refs/tags/${tag}`], root).split('\n');
  return line === '' ? undefined : line.split('\t')[0];
}
