// The step: starts `mayfly dev`, waits until it answers, and exports its addresses to the job.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readOptions } from './read-options.mjs';
import { fail, write } from './runner.mjs';
import { install, start } from './service.mjs';

try {
  await main();
} catch (error) {
  fail(error);
}

async function main() {
  const { version, folder: given, httpPort, smtpPort, compatVariables } = readOptions();
  const folder = mkdtempSync(path.join(process.env['RUNNER_TEMP'] ?? tmpdir(), 'mayfly-'));
  write('GITHUB_STATE', { folder });
  const program = version === undefined ? path.join(given ?? '', 'bin/mayfly.mjs') : install(folder, version);
  const { pid, variables, operator } = await start({ program, folder, httpPort, smtpPort });
  const {
    MAYFLY_URL: url = '',
    MAILPIT_URL: root = '',
    SMTP_HOST: host = '',
    SMTP_PORT: port = '',
  } = variables;
  write('GITHUB_STATE', { pid: String(pid), program, url, root, operator });
  write('GITHUB_OUTPUT', { url, 'smtp-host': host, 'smtp-port': port, 'compat-url': root });
  write('GITHUB_ENV', {
    MAYFLY_URL: url,
    ...Object.fromEntries(compatVariables.map((name) => [name, variables[name] ?? ''])),
  });
  process.stdout.write(`Mayfly answers at ${url} and takes mail at ${host}:${port}.\n`);
}
