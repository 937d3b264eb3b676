// The pages of docs/clients: their sign-up tests, run as printed against the built service and an application that
// mails codes; their other code, compiled or run.

import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { beforeAll, expect, it, onTestFinished } from 'vitest';

import {
  createFolder,
  createGoFolder,
  createNodeFolder,
  pytest,
  python,
  pythonPath,
} from '../support/clients/client-folders.ts';
import { printedLines } from '../support/printed-lines.ts';
import { runWell } from '../support/servers/run-program.ts';
import { startScenarioService, type ScenarioService } from '../support/clients/scenario-service.ts';
import { type SignUpApp, startSignUpApp } from '../support/servers/sign-up-app.ts';

const linesMax = 15;

let service: ScenarioService;
beforeAll(async () => {
  service = await startScenarioService();
  return service.close;
});

interface App extends SignUpApp {
  readonly env: NodeJS.ProcessEnv;
}

async function startApp(): Promise<App> {
  const app = await startSignUpApp(service);
  onTestFinished(app.close);
  return { ...app, env: { ...process.env, MAYFLY_URL: service.url, APP_URL: app.url } };
}

/** Returns a sign-up test, which must be short. */
function signUpTest(page: string, language: string, nth = 0): string {
  const code = printedLines(`clients/${page}`, { language, nth });
  expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(linesMax);
  return code;
}

it('TypeScript: signs up', { timeout: 300_000 }, async () => {
  const [folder, { env, confirmed }] = [await createNodeFolder(), await startApp()];
  await writeFile(path.join(folder, 'sign-up.test.mjs'), signUpTest('typescript.md', 'ts'));
  await runWell(process.execPath, ['--test'], { cwd: folder, env });
  expect(confirmed).toHaveLength(1);
});

it('TypeScript: all other code type-checks', { timeout: 300_000 }, async () => {
  const folder = await createNodeFolder();
  const blocks = [1, 2, 3].map((nth) => printedLines('clients/typescript.md', { language: 'ts', nth }));
  const functions = blocks.map(
    (code, at) => `export async function f${at}(inbox: Inbox, mayfly: Mayfly) {\n${code}}\n`,
  );
  await writeFile(
    path.join(folder, 'lines.ts'),
    `import type { Inbox, Mayfly } from 'mayfly-client';\n${functions.join('\n')}`,
  );
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
  const tsc = path.resolve('node_modules/typescript/bin/tsc');
  const strict = ['--strict', '--noEmit', '--module', 'NodeNext', '--target', 'ES2023'];
  await runWell(process.execPath, [tsc, ...strict, '--lib', 'ES2023,DOM,ESNext.Disposable', 'lines.ts'], {
    cwd: folder,
  });
});

it('Python: signs up with pytest, on several workers too', { timeout: 240_000 }, async () => {
  const [folder, { env, confirmed }] = [await createFolder(), await startApp()];
  const example = signUpTest('python.md', 'python');
  const copies = [1, 2, 3, 4].map((at) => example.replace('test_sign_up', `test_sign_up_${at}`));
  await writeFile(path.join(folder, 'test_sign_up.py'), copies.join('\n'));
  const given = { cwd: folder, env: { ...env, ...pythonPath } };
  expect(await runWell(python, [...pytest, '-n', '2'], given)).toContain('4 passed');
  expect(confirmed).toHaveLength(4);
});

it('Python: prints the code with asyncio', async () => {
  const [folder, { env }] = [await createFolder(), await startApp()];
  await writeFile(path.join(folder, 'example.py'), signUpTest('python.md', 'python', 1));
  const given = { cwd: folder, env: { ...env, ...pythonPath } };
  expect(await runWell(python, ['example.py'], given)).toMatch(/^\d{6}\n$/);
});

it('Python: the code about waiting finds what it names', async () => {
  const [folder, { env, url }] = [await createFolder(), await startApp()];
  const head = `import httpx
from mayfly_client import Mayfly

inbox = Mayfly().create_inbox()
httpx.post("${url}/sign-up", data={"email": inbox.email})
mail = {"from": "hello@shop.example", "subject": "Welcome!", "text": "Well met."}
httpx.post("${service.control}/send", json={"to": inbox.email, "mail": mail})
`;
  const code = printedLines('clients/python.md', { language: 'python', nth: 2 });
  await writeFile(path.join(folder, 'example.py'), head + code);
  const output = await runWell(python, ['example.py'], { cwd: folder, env: { ...env, ...pythonPath } });
  expect(output).toMatch(/^https:\/\/shop\.example\/confirm\S+ Well met\.\s+0\n$/);
});

it('Go: signs up, and all other code compiles', { timeout: 240_000 }, async () => {
  const [folder, { env, confirmed }] = [await createGoFolder(), await startApp()];
  const go = (nth: number): string => printedLines('clients/go.md', { language: 'go', nth });
  await writeFile(path.join(folder, 'sign_up_test.go'), go(0) + signUpTest('go.md', 'go', 1));
  const imports = go(0).replace('\t"net/http"\n\t"net/url"\n\t"os"\n', '\t"fmt"\n').replace('\t"time"\n', '');
  const lines = `${imports}
func waiting(ctx context.Context, inbox *mayfly.Inbox) (any, any, error) {
${go(2)}	return link, welcome, err
}

func anything(ctx context.Context, t *testing.T) (any, error) {
${go(3)}	return receipt, err
}

func events(ctx context.Context, inbox *mayfly.Inbox) error {
${go(4)}	return nil
}
`;
  await writeFile(path.join(folder, 'lines_test.go'), lines);
  await runWell('go', ['test', './...'], { cwd: folder, env });
  expect(confirmed).toHaveLength(1);
});

const folder = 'docs/clients';
const read = (page: string): string => readFileSync(path.join(folder, page), 'utf8');

it('no page has more than a thousand words, and the index has each', () => {
  const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));
  const linked = [...read('README.md').matchAll(/\]\(([\w.-]+\.md)\)/g)].map(([, page = '']) => page);
  expect(['README.md', ...linked].sort()).toEqual(pages.sort());
  for (const page of pages) {
    const words = read(page)
      .split(/\s+/)
      .filter((word) => /\w/.test(word));
    expect(words.length, page).toBeLessThanOrEqual(1000);
  }
});

it('the migration table names existing calls', () => {
  const clients = 'node_modules/.test-clients/node_modules';
  const mailosaur = readdirSync(`${clients}/mailosaur/cjs/operations`).map((name) =>
    readFileSync(`${clients}/mailosaur/cjs/operations/${name}`, 'utf8'),
  );
  const mayfly = ['mayfly', 'inbox', 'capture'].map((name) =>
    readFileSync(`clients/typescript/src/${name}.ts`, 'utf8'),
  );
  const known = [
    readFileSync(`${clients}/mailpit-api/dist/index.d.mts`, 'utf8'),
    mailosaur.join('\n'),
    undefined,
    mayfly.join('\n'),
  ];
  const rows = read('from-mailpit-mailosaur-mailslurp.md')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '));
  for (const [column, text] of known.entries()) {
    const calls = rows.flatMap((row) => [...(row[column] ?? '').matchAll(/`[^`]*?(\w+)\(/g)]);
    expect(calls.length).toBeGreaterThan(8);
    for (const [whole, name = ''] of calls) {
      if (text === undefined || whole.startsWith('`new ')) continue;
      expect(text, name).toMatch(new RegExp(`\\b${name}\\(`));
    }
  }
});
