// Lays out an npm package as it is published: its build, the made manifest, pages whose links lead somewhere, and its
// bill of materials. release.mjs packs the result; the image and the Debian package contain it.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { copyBuild } from '../build.mjs';
import { run } from './run.mjs';
import { publishPage } from './published-pages.mjs';
import { sbomName, writeSbom } from './sbom.mjs';

/** @typedef {import('./published-manifest.mjs').Package} Package */

/** npm takes these along, whatever `files` says. */
const always = ['README.md', 'LICENSE'];
/** Made here. */
const made = ['dist', sbomName];

/**
 * @param {string} root the repository
 * @param {Package} given
 * @param {string} folder made anew
 */
export async function stage(root, given, folder) {
  const { at, source, manifest } = given;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await buildInto(root, at, folder);
  const copied = [...always, ...(source.files ?? []).filter((name) => !made.includes(name))];
  for (const name of copied) cpSync(path.join(root, at, name), path.join(folder, name), { recursive: true });
  publishPages(given, folder);
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeSbom(root, given, folder);
}

/**
 * @param {string} root
 * @param {string} at
 * @param {string} folder
 */
async function buildInto(root, at, folder) {
  const dist = path.join(folder, 'dist');
  if (at === '') await copyBuild(dist);
  else if (at.startsWith('clients/')) {
    run(process.execPath, ['scripts/build-client.mjs', path.basename(at), folder], root);
  } else {
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    run(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', dist], path.join(root, at));
  }
}

/**
 * @param {Package} given
 * @param {string} folder
 */
function publishPages({ at, manifest }, folder) {
  const repository = (manifest.repository?.url ?? '').replace(/^git\+|\.git$/g, '');
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  for (const name of pages) {
    const file = path.join(folder, name);
    const text = publishPage(readFileSync(file, 'utf8'), {
      page: path.posix.join(at, name),
      isPublished: (target) => {
        const inside = path.posix.relative(at, target);
        return !inside.startsWith('..') && existsSync(path.join(folder, inside));
      },
      repository,
      version: manifest.version,
    });
    writeFileSync(file, text);
  }
}
