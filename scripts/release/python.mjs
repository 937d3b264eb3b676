// Lays out the Python client for its build: with pages whose links lead somewhere on PyPI too.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { publishPage } from './published-pages.mjs';

const client = 'clients/python';
const page = 'README.md';

/**
 * @param {string} root the repository
 * @param {string} folder
 */
export function stagePython(root, folder) {
  for (const name of ['src', 'LICENSE', 'pyproject.toml', page]) {
    cpSync(path.join(root, client, name), path.join(folder, name), {
      recursive: true,
      filter: (file) => path.basename(file) !== '__pycache__',
    });
  }
  const project = readFileSync(path.join(folder, 'pyproject.toml'), 'utf8');
  const [, repository = ''] = /^Homepage = "(.+)"$/m.exec(project) ?? [];
  const [, version = ''] = /^version = "(.+)"$/m.exec(project) ?? [];
  const file = path.join(folder, page);
  const text = publishPage(readFileSync(file, 'utf8'), {
    page: `${client}/${page}`,
    // PyPI shows the page alone.
    isPublished: () => false,
    repository,
    version,
  });
  writeFileSync(file, text);
}
