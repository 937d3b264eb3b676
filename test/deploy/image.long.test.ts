// The image without a container engine: the steps of the Dockerfile's first stage run on what .dockerignore lets through,
// and what its second stage copies is started in a small root file system, read-only and without rights, as the release
// starts the image itself.

import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { copyContext } from '../support/deploy/docker-context.ts';
import { newNode, newPath } from '../support/deploy/published-tools.ts';
import { bringProgram, runInRoot } from '../support/deploy/small-root.ts';
import { parseDockerfile } from '../support/dockerfile.ts';
import { untilReady } from '../support/service/mayfly-process.ts';
import { runWell } from '../support/servers/run-program.ts';

it('is laid out by the steps of the Dockerfile, starts, and takes mail', async () => {
  const place = await mkdtemp(path.join(tmpdir(), 'mayfly-image-'));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  const [context, root, data] = ['context', 'root', 'data'].map((name) => path.join(place, name));
  if (context === undefined || root === undefined || data === undefined) throw new Error('unreachable');
  const [build, image] = parseDockerfile(await readFile('Dockerfile', 'utf8'));
  const listed = await runWell('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  copyContext(listed.split('\0').filter(Boolean), await readFile('.dockerignore', 'utf8'), context);
  for (const { text } of (build?.steps ?? []).filter(({ name }) => name === 'RUN')) {
    const env = { ...newPath, NODE_ENV: '' };
    await runWell('sh', ['-euc', text.replaceAll('/opt/mayfly', `${root}/opt/mayfly`)], {
      cwd: context,
      env,
    });
  }
  await bringProgram(root, newNode, '/usr/local/bin/node');
  for (const name of ['tmp', 'data', 'proc']) await mkdir(path.join(root, name));
  await mkdir(data);
  await runWell('chown', ['1000:1000', data]);
  await chmod(place, 0o755);
  const steps = (name: string): string[] =>
    (image?.steps ?? []).filter((step) => step.name === name).map(({ text }) => text);
  const pairs = steps('ENV').flatMap((text) =>
    text.split(' ').map((pair) => pair.split('=') as [string, string]),
  );
  const [entry = [], command = []] = [...steps('ENTRYPOINT'), ...steps('CMD')].map(
    (text) => JSON.parse(text) as string[],
  );
  const child = runInRoot({
    root,
    data,
    folder: steps('WORKDIR')[0] ?? '',
    words: [...entry, ...command],
    env: {
      ...Object.fromEntries(pairs),
      PATH: `/usr/local/bin:${process.env['PATH'] ?? ''}`,
      MAYFLY_HTTP_PORT: '0',
      MAYFLY_SMTP_PORT: '0',
    },
  });
  onTestFinished(() => void child.kill('SIGTERM'));
  const mayfly = await untilReady(child as Parameters<typeof untilReady>[0]);
  const { port } = new URL(mayfly.origin);
  const where = ['--http', `http://127.0.0.1:${port}`, '--smtp', `127.0.0.1:${mayfly.smtpPort}`];
  expect(await runWell(process.execPath, ['scripts/smoke-test.mjs', ...where])).toContain('a mail came in');
});
