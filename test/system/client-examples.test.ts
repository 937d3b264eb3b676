// The sign-up examples in the clients' README files, run as printed against the built service. The part readers write
// themselves, the sign-up, is a request here: it sends the mail with the code.

import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { beforeAll, expect, it } from 'vitest';

import {
  createFolder,
  createGoFolder,
  createNodeFolder,
  goModule,
  pytest,
  python,
  pythonPath,
} from '../support/clients/client-folders.ts';
import { startScenarioService, type ScenarioService } from '../support/clients/scenario-service.ts';
import { printedLines } from '../support/printed-lines.ts';
import { runWell } from '../support/servers/run-program.ts';

const mail = { subject: 'Your code', text: 'Your verification code is 482913.' };

let service: ScenarioService;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  service = await startScenarioService();
  env = { ...process.env, MAYFLY_URL: service.url, MAIL: JSON.stringify(mail), CONTROL: service.control };
  return service.close;
});

function readExample(client: string, language: string, nth = 0): string {
  const code = printedLines(`../clients/${client}/README.md`, { language, nth });
  expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
  return code;
}

it('TypeScript', { timeout: 300_000 }, async () => {
  const folder = await createNodeFolder();
  const signUp = `async function signUp(to) {
    const body = JSON.stringify({ to, mail: JSON.parse(process.env.MAIL) });
    await fetch(process.env.CONTROL + '/send', { method: 'POST', body });
  }\n`;
  await writeFile(path.join(folder, 'example.mjs'), signUp + readExample('typescript', 'ts'));
  expect(await runWell(process.execPath, ['example.mjs'], { cwd: folder, env })).toBe('482913\n');
});

const signUpInPython = `
import json, os, urllib.request

def sign_up(to):
    body = json.dumps({"to": to, "mail": json.loads(os.environ["MAIL"])}).encode()
    urllib.request.urlopen(os.environ["CONTROL"] + "/send", body).close()

`;

it('Python', async () => {
  const folder = await createFolder();
  await writeFile(path.join(folder, 'example.py'), signUpInPython + readExample('python', 'python'));
  const given = { cwd: folder, env: { ...env, ...pythonPath } };
  expect(await runWell(python, ['example.py'], given)).toBe('482913\n');
});

it('pytest, several tests at once', { timeout: 240_000 }, async () => {
  const folder = await createFolder();
  const example = readExample('python', 'python', 1);
  const tests = Array.from({ length: 8 }, (_, at) => example.replace('test_sign_up', `test_sign_up_${at}`));
  await writeFile(path.join(folder, 'test_example.py'), signUpInPython + tests.join('\n\n'));
  const options = [...pytest, '-n', '4', 'test_example.py'];
  expect(await runWell(python, options, { cwd: folder, env: { ...env, ...pythonPath } })).toContain(
    '8 passed',
  );
});

it('pytest, with a service started by its plugin', { timeout: 300_000 }, async () => {
  const folder = await createFolder();
  const test = 'def test_inbox(inbox, capture):\n    assert inbox.email != capture.email\n';
  await writeFile(path.join(folder, 'test_own.py'), test);
  const program = `${process.execPath} ${path.resolve('bin/mayfly.mjs')}`;
  const own = { PATH: process.env['PATH'], ...pythonPath, MAYFLY_BIN: program };
  const options = [...pytest, 'test_own.py'];
  expect(await runWell(python, options, { cwd: folder, env: own })).toContain('1 passed');
});

it('Go', { timeout: 240_000 }, async () => {
  const folder = await createGoFolder();
  const head = `package signup

import (
	"context"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"${goModule}/mayfly"
	"${goModule}/mayflytest"
)

func signUp(to string) {
	body := strings.NewReader("{\\"to\\":\\"" + to + "\\",\\"mail\\":" + os.Getenv("MAIL") + "}")
	if _, err := http.Post(os.Getenv("CONTROL")+"/send", "application/json", body); err != nil {
		panic(err)
	}
}

`;
  await writeFile(path.join(folder, 'signup_test.go'), head + readExample('go', 'go'));
  expect(await runWell('go', ['test', '-v', './...'], { cwd: folder, env })).toMatch(/482913[^]*\nPASS/);
});
