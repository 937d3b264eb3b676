import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { describeLicense } from './licenses.mjs';

const text = 'Permission is hereby granted, free of charge, to any person. '.repeat(10).trim();
let place: string;

beforeEach(async () => {
  place = await mkdtemp(path.join(tmpdir(), 'mayfly-licenses-'));
  await put('package.json', '{ "name": "made-up", "version": "1.2.3", "license": "MIT" }');
});
afterEach(() => rm(place, { recursive: true }));

const put = (name: string, content: string): Promise<void> => writeFile(path.join(place, name), content);

it.each(['LICENSE', 'license.md', 'LICENCE-MIT.txt', 'COPYING'])('takes the text of %s', async (name) => {
  await put(name, `${text}\n`);
  expect(await describeLicense(place)).toBe(`made-up 1.2.3 (MIT)\n\n${text}\n\n`);
});

it('takes the text under its heading in the page of the package', async () => {
  await put('Readme.md', `# Made up\n\nUse it.\n\n## License\n\n${text}\n\n## Thanks\n\nTo all.\n`);
  expect(await describeLicense(place)).toBe(`made-up 1.2.3 (MIT)\n\n${text}\n\n`);
});

it.each([
  ['none', 'README.md', '# Made up\n'],
  ['an empty one', 'LICENSE', '\n'],
  ['its name alone', 'LICENSE', 'MIT\n'],
  ['a link', 'README.md', '# Made up\n\n## License\n\n[MIT](https://example.org)\n'],
])('refuses a package with %s', async (_, name, content) => {
  await put(name, content);
  await expect(describeLicense(place)).rejects.toThrow('made-up 1.2.3 is bundled without its license');
});

it('has the texts of packages that contain none', async () => {
  for (const name of ['saxes', 'abstract-logging', 'pg-types', 'pgpass']) {
    const described = await describeLicense(path.resolve('node_modules', name));
    expect(described).toMatch(/THE SOFTWARE IS PROVIDED/);
    expect(described).toMatch(/Copyright/);
  }
});
