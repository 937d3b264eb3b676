// STARTTLS over real sockets: its effect on the dialogue, commands injected before it, refusals, and connections that
// break during it.

import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';

import { describe, expect, it } from 'vitest';

import { type SecureClient, startTls } from '../support/smtp/secure-client.ts';
import { SmtpClient } from '../support/smtp/smtp-client.ts';
import { type SmtpFixture, type SmtpFixtureOptions, startSmtp } from '../support/smtp/smtp-fixture.ts';
import { createTlsFiles, type TlsFiles } from '../support/servers/tls-files.ts';

async function startSecure(
  options: SmtpFixtureOptions = {},
): Promise<{ fixture: SmtpFixture; tlsFiles: TlsFiles }> {
  const tlsFiles = createTlsFiles('mx.test');
  return { fixture: await startSmtp({ ...options, tls: tlsFiles.certificate }), tlsFiles };
}

function wrap(socket: Socket, options: ConnectionOptions = {}): TLSSocket {
  return connect({ socket, rejectUnauthorized: false, ...options });
}

/** Returns a client after EHLO, STARTTLS and the handshake. */
async function secure(fixture: SmtpFixture, options?: ConnectionOptions): Promise<SecureClient> {
  return startTls(await fixture.greet(), options);
}

describe('a message over TLS', () => {
  it('is stored with version and cipher, and its Received says ESMTPS', async () => {
    const sources: unknown[] = [];
    const { fixture } = await startSecure({
      wrapReceiver: (receiver) => ({
        ...receiver,
        receiveMessage: (message, recipients) => {
          sources.push(message.source);
          return receiver.receiveMessage(message, recipients);
        },
      }),
    });
    const session = await fixture.lend('one');
    const client = await secure(fixture);
    await client.command('EHLO over.test');
    expect(await client.deliver('Subject: x\r\n\r\nsecret\r\n', session.address)).toMatch(/^250/);
    expect(sources).toEqual([
      {
        protocol: 'ESMTPS',
        remoteAddress: '127.0.0.1',
        helo: 'over.test',
        connection: expect.stringMatching(/^[0-9a-z]+-1$/) as string,
        tls: `${String(client.socket.getProtocol())} ${client.socket.getCipher().name}`,
      },
    ]);
    expect(await client.command('QUIT')).toMatch(/^221/);
    expect(await fixture.textsOf(session)).toEqual(['Subject: x\r\n\r\nsecret\r\n']);
    expect(fixture.errors).toEqual([]);
  });

  it('is received whole with 2 MB, by BDAT too', async () => {
    const { fixture } = await startSecure();
    const session = await fixture.lend('one');
    const client = await secure(fixture, { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' });
    await client.command('EHLO over.test');
    const text = `Subject: x\r\n\r\n${'0123456789abcde\r\n'.repeat(120_000)}`;
    expect(await client.deliver(text, session.address)).toMatch(/^250/);
    await client.command('MAIL FROM:<a@b.test>');
    await client.command(`RCPT TO:<${session.address}>`);
    client.send(`BDAT ${text.length} LAST\r\n${text}`);
    expect(await client.readReply()).toMatch(/^250 2\.0\.0 OK/);
    expect((await fixture.textsOf(session)).map((one) => one === text)).toEqual([true, true]);
  });

  it('may be begun by a sender that does not wait for the end of the handshake', async () => {
    const { fixture } = await startSecure();
    const plain = await fixture.greet();
    await plain.command('STARTTLS');
    plain.socket.removeAllListeners('data');
    const client = new SmtpClient(wrap(plain.socket));
    expect(await client.command('EHLO early.test')).toBe('250 ENHANCEDSTATUSCODES');
    expect(await client.command('MAIL FROM:<a@b.test>')).toMatch(/^250/);
  });
});

// The NO STARTTLS paper of 2021 found this in one server of fifty.
describe('input sent unencrypted after STARTTLS', () => {
  const evil = 'EHLO evil.test\r\nMAIL FROM:<evil@b.test>\r\n';

  it.each([
    ['CVE-2011-0411 (Postfix)', `STARTTLS\r\n${evil}`, ''],
    ['CVE-2021-33515 (Dovecot)', `STARTTLS\r\n${evil}RCPT TO:<one@mayfly.test>\r\nDATA\r\n`, ''],
    ['CVE-2024-34083 (aiosmtpd)', 'STARTTLS\r\nNOOP\r\nRSET\r\n', ''],
    ['CVE-2021-38371 (Exim)', 'STARTTLS\r\n250 2.0.0 OK\r\n', ''],
    ['JAMES-1862', `STARTTLS\r\n${evil}QUIT\r\n`, ''],
    ['in the next segment', 'STARTTLS\r\n', evil],
  ])('%s is never run', async (_, first, second) => {
    const { fixture } = await startSecure();
    const plain = await fixture.greet();
    plain.send(first);
    expect(await plain.readReply()).toMatch(/^220 /);
    if (second !== '') plain.send(second);
    plain.socket.removeAllListeners('data');
    const tls = wrap(plain.socket);
    const client = new SmtpClient(tls);
    const outcome = await Promise.race([
      once(tls, 'secureConnect').then(
        () => 'secure',
        () => 'refused',
      ),
      client.closed.then(() => 'refused'),
    ]);
    // Either the bytes were dropped without a trace, or they broke the handshake.
    if (outcome === 'secure') {
      expect(await client.command('RCPT TO:<one@mayfly.test>')).toBe('503 5.5.1 Say EHLO or HELO first');
      expect(client.takeLines()).toEqual([]);
    }
    expect(outcome).toBe(second === '' ? 'secure' : 'refused');
    expect(fixture.errors).toEqual([]);
  });
});

it('smtp-server #260: STARTTLS with parameters begins nothing, and what follows is read as it is', async () => {
  const { fixture } = await startSecure();
  const client = await fixture.greet();
  client.send('STARTTLS now\r\nNOOP\r\n');
  expect([await client.readReply(), await client.readReply()]).toEqual([
    '501 5.5.4 Syntax error in arguments',
    '250 2.0.0 OK',
  ]);
  expect(await client.command('STARTTLS')).toMatch(/^220 /);
});

describe('a handshake', () => {
  it.each(['TLSv1', 'TLSv1.1'] as const)('is refused for %s', async (version) => {
    const { fixture } = await startSecure();
    const ciphers = 'ALL:@SECLEVEL=0';
    const options = { minVersion: version, maxVersion: version, ciphers } as const;
    await expect(secure(fixture, options)).rejects.toThrow(/alert|version|socket|disconnected/i);
    expect(fixture.errors).toEqual([]);
    expect(await (await fixture.greet()).command('NOOP')).toMatch(/^250/);
  });

  // A finite-field group of 8,192 bits takes fifty times the processor time of X25519, and the sender chooses.
  it.each(['ffdhe2048', 'ffdhe3072', 'ffdhe8192', 'P-521', 'X448'])(
    'is refused when a sender supports %s only',
    async (group) => {
      const { fixture } = await startSecure();
      await expect(secure(fixture, { ecdhCurve: group, minVersion: 'TLSv1.3' })).rejects.toThrow();
      expect(await (await fixture.greet()).command('NOOP')).toMatch(/^250/);
    },
  );

  it.each(['X25519', 'P-256', 'P-384'])('uses %s, even if the sender prefers another', async (group) => {
    const { fixture } = await startSecure();
    const client = await secure(fixture, { ecdhCurve: `ffdhe8192:${group}`, minVersion: 'TLSv1.3' });
    const { name } = client.socket.getEphemeralKeyInfo() as { name: string };
    expect(name).toBe({ 'P-256': 'prime256v1', 'P-384': 'secp384r1' }[group] ?? group);
  });

  it.each([
    'ECDHE-ECDSA-AES128-SHA',
    'ECDHE-ECDSA-AES256-SHA384',
    'ECDHE-ECDSA-AES128-CCM8',
    'ECDHE-ECDSA-AES256-CCM',
    'ECDHE-ECDSA-ARIA128-GCM-SHA256',
    'ECDHE-ECDSA-CAMELLIA128-SHA256',
    'ECDHE-RSA-AES256-SHA384',
    'AES128-GCM-SHA256',
    'DHE-RSA-AES128-GCM-SHA256',
  ])('is refused when a sender supports %s only', async (ciphers) => {
    const { fixture } = await startSecure();
    await expect(secure(fixture, { ciphers, maxVersion: 'TLSv1.2' })).rejects.toThrow();
  });

  it('that breaks off leaves nothing: no connection, no room, no transaction', async () => {
    const { fixture } = await startSecure({ settings: { connectionsMax: 1, inFlightMaxBytes: 1 } });
    const session = await fixture.lend('one');
    for (const farewell of ['garbage instead of a handshake', '']) {
      const client = await fixture.greet();
      await client.command('MAIL FROM:<a@b.test>');
      await client.command(`RCPT TO:<${session.address}>`);
      client.send(`BDAT 300000\r\n${'x'.repeat(299_998)}\r\n`);
      expect(await client.readReply()).toBe('250 2.0.0 300000 octets received');
      await client.command('STARTTLS');
      if (farewell !== '') client.send(farewell);
      client.socket.end();
      await client.closed;
    }
    let greeting = '';
    let client = await fixture.connect();
    while (!(greeting = await client.readReply()).startsWith('220 ')) client = await fixture.connect();
    expect(greeting).toMatch(/^220/);
    await client.command('EHLO client.test');
    expect(await client.deliver('Subject: x\r\n\r\n', session.address)).toMatch(/^250/);
    expect(fixture.incoming.count).toBe(0);
    expect(fixture.errors).toEqual([]);
  });

  it('shows the new certificate once the files have changed', async () => {
    const { fixture, tlsFiles } = await startSecure();
    const nameShown = async (): Promise<string> => {
      const client = await secure(fixture);
      client.socket.end();
      return String(client.socket.getPeerCertificate().subject.CN);
    };
    expect(await nameShown()).toBe('mx.test');
    tlsFiles.swap('renewed.test');
    let shown = '';
    for (const until = performance.now() + 60_000; shown !== 'renewed.test' && performance.now() < until;) {
      shown = await nameShown();
    }
    expect(shown).toBe('renewed.test');
  });
});

describe('shutting down', () => {
  it('ends secure connections too, with 421', async () => {
    const { fixture } = await startSecure();
    const client = await secure(fixture);
    await client.command('EHLO over.test');
    const closed = fixture.server.close(10_000);
    expect(await client.closed).toEqual(['421 4.3.2 Shutting down, try again later']);
    client.socket.end();
    await closed;
  });
});
