// Refuses links of Markdown files that lead nowhere, headings included, names of pages of docs/ in any other file
// that are not there, and paths in the guides for contributors that are not there. scripts/check.mjs runs it.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { findBrokenLinks, namedPaths } from './broken-links.mjs';

const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
if (listed.status !== 0) throw new Error(`git ls-files failed: ${listed.stderr}`);
const files = listed.stdout.split('\0').filter((file) => file !== '' && existsSync(file));
const own = files.filter((file) => !/(^|\/)(fixtures|node_modules)\//.test(file));

/** @param {string} file */
const read = (file) => readFileSync(file, 'utf8');
const pages = own.filter((file) => file.endsWith('.md'));
const sources = own.filter((file) => /\.([cm]?[jt]sx?|ya?ml|service|env|py|go)$|Dockerfile$/.test(file));

const broken = pages.flatMap((page) => findBrokenLinks(page, { has: existsSync, read }));
const unknown = sources.flatMap((file) =>
  Array.from(read(file).matchAll(/(?<![\w/.-])docs\/[\w/-]+\.md\b/g), ([page]) => page)
    .filter((page) => !existsSync(page))
    .map((page) => `${file}: ${page} is not there`),
);
/** Pages that say which files to change. */
const guides = ['CONTRIBUTING.md', 'AGENTS.md', 'docs/ARCHITECTURE.md'];
const moved = guides.flatMap((page) =>
  namedPaths(read(page))
    .filter((named) => !existsSync(named))
    .map((named) => `${page}: ${named} is not there`),
);
for (const line of [...broken, ...unknown, ...moved]) console.error(line);
if (broken.length + unknown.length + moved.length > 0) process.exitCode = 1;
