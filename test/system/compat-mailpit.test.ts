// Unmodified clients of Mailpit against the built service.

import { expect, it } from 'vitest';

import { printedLines } from '../support/printed-lines.ts';
import { runJavaScriptClient, runPythonClient } from '../support/published-clients.ts';

it('has the clients that npm run test:setup installs', async () => {
  const program = "import { MailpitClient } from 'mailpit-api'; console.log(typeof MailpitClient);";
  expect(await runJavaScriptClient(program)).toBe('function\n');
  expect(await runPythonClient('from mailpit.client.api import API; print(API.MESSAGE_ENDPOINT)')).toBe(
    'api/v1/message\n',
  );
});

it('runs only lines that a page prints', () => {
  expect(() => printedLines('compat/README.md', { language: 'cobol' })).toThrow('no block 0 of cobol');
});
