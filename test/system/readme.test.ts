// The lines of README.md, run as printed against the built service: what a reader copies first must work, repeatedly.

import { readFileSync } from 'node:fs';

import { expect, it, onTestFinished } from 'vitest';

import { createDataFolder, startMayfly } from '../support/service/mayfly-process.ts';
import { runWell } from '../support/servers/run-program.ts';

const readme = readFileSync('README.md', 'utf8');

/** Returns the shell lines that follow a heading. */
function linesUnder(heading: string): string {
  const lines = new RegExp(`^## ${heading}\\n[\\s\\S]*?^\`\`\`sh\\n([\\s\\S]*?)^\`\`\``, 'm').exec(
    readme,
  )?.[1];
  if (lines === undefined) throw new Error(`README.md has no lines under ${heading}.`);
  return lines;
}

it('can be run a second time', async () => {
  const folder = await createDataFolder();
  onTestFinished(folder.remove);
  const mayfly = await startMayfly(folder.path, { MAYFLY_SESSION_QUARANTINE_SECONDS: '2592000' });
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  const lines = linesUnder('A session')
    .replaceAll('http://127.0.0.1:8080', mayfly.origin)
    .replaceAll('127.0.0.1:2525', `127.0.0.1:${mayfly.smtpPort}`);
  for (const round of [1, 2]) {
    const output = await runWell('sh', ['-euc', lines], { cwd: folder.path });
    expect(output, `round ${round}`).toContain('"email":"quiet-fox@mayfly.test"');
    expect(output, `round ${round}`).toContain('"code":"483920"');
    expect(output, `round ${round}`).toContain('483920 is your code.');
    expect(output, `round ${round}`).not.toContain('"status":"error"');
  }
});
