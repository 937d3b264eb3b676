// Clients generated from the OpenAPI document as served: generated, compiled, and run for the five operations against
// the built service, with a real message between the second and the third. Their programs are in
// test/fixtures/generators.

import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

import { createDataFolder, type MayflyProcess, startMayfly } from '../support/service/mayfly-process.ts';
import { runWell } from '../support/servers/run-program.ts';
import { connectTo } from '../support/smtp/smtp-client.ts';

const programs = path.resolve('test/fixtures/generators');
/** For programs that end after seconds: less compiling, and no threads that collect garbage. */
const shortLived = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
/** Installed by `npm run test:setup`. */
const tools = path.resolve('node_modules/.test-generators');
const npmTool = (name: string): string => path.join(tools, 'node_modules', '.bin', name);

let mayfly: MayflyProcess;
let data: Awaited<ReturnType<typeof createDataFolder>>;

beforeAll(async () => {
  data = await createDataFolder();
  mayfly = await startMayfly(data.path, { MAYFLY_LIMITS_RATE: 'off', MAYFLY_LOG_LEVEL: 'warn' });
}, 10 * 60_000);

afterAll(async () => {
  await mayfly.stop();
  await data.remove();
});

/** Creates a folder that contains only the document as openapi.json. */
async function createFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-client-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const answer = await fetch(`${mayfly.origin}/openapi.json`);
  await writeFile(path.join(folder, 'openapi.json'), await answer.text());
  return folder;
}

/** `call` runs the program with further arguments: none to create a session, its token to read its mail. */
async function expectFiveOperations(call: (...args: string[]) => Promise<string>): Promise<void> {
  const { email, token } = JSON.parse(await call()) as { email: string; token: string };
  const client = await connectTo(mayfly.smtpPort);
  await client.readReply();
  await client.command('EHLO client.test');
  const raw = 'From: a@b.example\r\nSubject: Your code\r\n\r\nYour code is 482913.\r\n';
  expect(await client.deliver(raw, email)).toMatch(/^250/);
  client.socket.destroy();
  expect(JSON.parse(await call(token))).toEqual({ listed: 1, code: '482913', deleted: 1 });
}

/** Compiles a program and its client with every strict check, and runs it. */
async function expectTypeScript(folder: string, program: string): Promise<void> {
  await copyFile(path.join(programs, `${program}.ts`), path.join(folder, 'program.ts'));
  const compilerOptions = { strict: true, module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom'] };
  const options = { ...compilerOptions, types: ['node'], typeRoots: [path.resolve('node_modules/@types')] };
  await writeFile(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...options, skipLibCheck: true }, files: ['program.ts'] }),
  );
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await runWell('ln', ['-s', path.join(tools, 'node_modules'), path.join(folder, 'node_modules')]);
  await runWell(npmTool('tsc'), ['-p', folder]);
  await expectFiveOperations((...args) =>
    runWell(process.execPath, [path.join(folder, 'program.js'), mayfly.origin, ...args]),
  );
}

it('has no fault that Redocly finds', async () => {
  const cwd = await createFolder();
  await runWell(npmTool('redocly'), ['lint', 'openapi.json'], { cwd });
});

it('serves a client by orval', async () => {
  const cwd = await createFolder();
  const output = { target: './client.ts', client: 'fetch', baseUrl: mayfly.origin };
  const config = { mayfly: { input: './openapi.json', output } };
  await writeFile(path.join(cwd, 'orval.config.cjs'), `module.exports = ${JSON.stringify(config)};`);
  await runWell(npmTool('orval'), [], { cwd });
  await expectTypeScript(cwd, 'orval');
});

it('serves a client by openapi-typescript', async () => {
  const cwd = await createFolder();
  await runWell(npmTool('openapi-typescript'), ['openapi.json', '-o', 'client.d.ts'], { cwd });
  await expectTypeScript(cwd, 'openapi-typescript');
});

it('serves a client by @hey-api/openapi-ts', async () => {
  const cwd = await createFolder();
  await runWell(npmTool('openapi-ts'), ['-i', 'openapi.json', '-o', 'client'], { cwd });
  await expectTypeScript(cwd, 'hey-api');
});

it('serves a client by openapi-python-client', async () => {
  const cwd = await createFolder();
  const bin = path.join(tools, 'python', 'bin');
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
  const generate = ['generate', '--path', 'openapi.json', '--output-path', 'client'];
  await runWell(path.join(bin, 'openapi-python-client'), generate, { cwd, env });
  const program = path.join(programs, 'openapi_python_client.py');
  const found = { ...env, PYTHONPATH: path.join(cwd, 'client') };
  await expectFiveOperations((...args) =>
    runWell(path.join(bin, 'python'), [program, mayfly.origin, ...args], { env: found }),
  );
});

it('serves a client by oapi-codegen', async () => {
  const cwd = await createFolder();
  const generate = ['-generate', 'types,client', '-package', 'main', '-o', 'client.go', 'openapi.json'];
  await runWell(path.join(tools, 'bin', 'oapi-codegen'), generate, { cwd });
  await copyFile(path.join(programs, 'oapi-codegen.go'), path.join(cwd, 'main.go'));
  await runWell('go', ['mod', 'init', 'example.org/client'], { cwd });
  await runWell('go', ['get', 'github.com/oapi-codegen/runtime@v1.6.0'], { cwd });
  await runWell('go', ['vet', '.'], { cwd });
  await runWell('go', ['build', '-o', 'program', '.'], { cwd });
  await expectFiveOperations((...args) => runWell(path.join(cwd, 'program'), [mayfly.origin, ...args]));
});

it('serves a client by openapi-generator, in Java', async () => {
  const cwd = await createFolder();
  await generateJava(cwd, ['-g', 'java', '--library', 'native']);
  const sources = path.join(cwd, 'client', 'src', 'main', 'java');
  await mkdir(sources, { recursive: true });
  await copyFile(path.join(programs, 'OpenApiGenerator.java'), path.join(sources, 'OpenApiGenerator.java'));
  const goals = ['-q', '-B', '-DskipTests', 'compile', 'dependency:copy-dependencies'];
  await runWell('mvn', [...goals, '-DincludeScope=runtime'], {
    cwd: path.join(cwd, 'client'),
    env: { ...process.env, MAVEN_OPTS: shortLived.join(' ') },
  });
  const target = path.join(cwd, 'client', 'target');
  const classes = `${path.join(target, 'classes')}:${path.join(target, 'dependency')}/*`;
  await expectFiveOperations((...args) =>
    runWell('java', [...shortLived, '-cp', classes, 'OpenApiGenerator', mayfly.origin, ...args]),
  );
});

async function generateJava(cwd: string, target: readonly string[]): Promise<void> {
  const jar = path.join(tools, 'openapi-generator.jar');
  const generator = [...shortLived, '-jar', jar];
  await runWell('java', [...generator, 'validate', '-i', 'openapi.json'], { cwd });
  const quiet = ['--global-property', 'models,apis,supportingFiles,modelTests=false,apiTests=false'];
  await runWell(
    'java',
    [...generator, 'generate', '-i', 'openapi.json', '-o', 'client', ...target, ...quiet],
    { cwd },
  );
}
