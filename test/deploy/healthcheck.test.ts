// The image's health check on a service with HTTPS of its own.

import { expect, it } from 'vitest';

import { freePort } from '../support/servers/free-port.ts';
import { runProgram } from '../support/servers/run-program.ts';
import { useDataFolder, useMayfly } from '../support/service/mayfly-fixture.ts';

it('finds a service with HTTPS alive, before a certificate has come too, and one that is not there dead', async () => {
  const port = String(await freePort());
  const env = { PATH: process.env['PATH'], MAYFLY_HTTP_PORT: port, MAYFLY_HTTP_TLS: 'acme' };
  const check = async (): Promise<number | null> =>
    (await runProgram(process.execPath, ['bin/healthcheck.mjs'], { env })).status;
  expect(await check()).toBe(1);
  await useMayfly(await useDataFolder(), {
    MAYFLY_HTTP_PORT: port,
    MAYFLY_HTTP_TLS: 'acme',
    MAYFLY_HTTP_REDIRECT_PORT: '0',
    MAYFLY_HTTP_PUBLIC_URL: 'https://mail.example.org',
    // Nothing listens there.
    MAYFLY_ACME_DIRECTORY: 'https://127.0.0.1:9/directory',
    MAYFLY_ACME_STAGING: 'off',
  });
  expect(await check()).toBe(0);
});
