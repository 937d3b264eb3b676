// STARTTLS with openssl's independent client.

import { expect, it } from 'vitest';

import { runProgram } from '../support/servers/run-program.ts';
import { startSmtp } from '../support/smtp/smtp-fixture.ts';
import { createTlsFiles } from '../support/servers/tls-files.ts';

it.each(['TLSv1.2', 'TLSv1.3'] as const)('openssl delivers by %s', async (version) => {
  const fixture = await startSmtp({ tls: createTlsFiles('mx.test').certificate });
  const session = await fixture.lend('one');
  const flag = version === 'TLSv1.2' ? '-tls1_2' : '-tls1_3';
  const target = ['-connect', `127.0.0.1:${fixture.port}`, '-starttls', 'smtp', flag, '-ign_eof'];
  const text = `Subject: by ${version}\r\n\r\ntext\r\n`;
  const toBody = `EHLO openssl.test\r\nMAIL FROM:<a@b.test>\r\nRCPT TO:<${session.address}>\r\n`;
  // It sends its input without waiting for replies, hence no DATA.
  const input = `${toBody}BDAT ${text.length} LAST\r\n${text}QUIT\r\n`;
  const { stdout } = await runProgram('openssl', ['s_client', ...target], { input });
  expect(await fixture.textsOf(session)).toEqual([text]);
  expect(stdout).toContain(version);
  expect(stdout).toContain('subject=CN = mx.test');
  expect(stdout).toContain('221 2.0.0 Bye');
});
