// STARTTLS (RFC 3207) as the engine sees it: CVE-2011-0411, CVE-2021-33515 and CVE-2021-38371 were servers that took
// what was sent in the clear for what came after the handshake.

import { describe, expect, it } from 'vitest';

import { EnginePeer, engineSettings } from '../../../test/support/smtp/engine-peer.ts';
import { MessageBuffer } from './message-buffer.ts';
import { SmtpEngine } from './smtp-engine.ts';

const toBody = ['EHLO client.test', 'MAIL FROM:<a@b.test>', 'RCPT TO:<one@us.test>'];

function peerAfter(...lines: readonly string[]): EnginePeer {
  const peer = new EnginePeer({ offersTls: true });
  peer.takeLines();
  for (const line of lines) peer.codes(line);
  return peer;
}

describe('STARTTLS', () => {
  it('is offered in the clear, to EHLO alone, and not again', () => {
    const peer = peerAfter();
    expect(peer.say('HELO client.test\r\n')).toEqual(['250 mx.test']);
    expect(peer.say('EHLO client.test\r\n')).toContain('250-STARTTLS');
    expect(peer.say('STARTTLS\r\n')).toEqual(['220 2.0.0 Ready to start TLS']);
    expect(peer.say('EHLO client.test\r\n').join()).not.toContain('STARTTLS');
    expect(peer.codes('STARTTLS')).toEqual(['503 5.5.1']);
  });

  it('with parameters is refused (RFC 3207 §4)', () => {
    const peer = peerAfter('EHLO client.test');
    expect(peer.codes('STARTTLS now', 'NOOP')).toEqual(['501 5.5.4', '250 2.0.0']);
    expect(peer.say('EHLO client.test\r\n')).toContain('250-STARTTLS');
  });

  it('is not there without a certificate', () => {
    const peer = new EnginePeer();
    expect(peer.codes('EHLO client.test', 'STARTTLS').slice(-1)).toEqual(['502 5.5.1']);
  });

  it.each([
    'NOOP\r\n',
    'RSET\r\n',
    'EHLO evil.test\r\nMAIL FROM:<evil@b.test>\r\nRCPT TO:<one@us.test>\r\n',
    'QUIT\r\n',
    'MAIL FROM:<half',
    '\0',
  ])('drops what came with it: %j', (injected) => {
    const peer = peerAfter('EHLO client.test');
    expect(peer.say(`STARTTLS\r\n${injected}`)).toEqual(['220 2.0.0 Ready to start TLS']);
    expect(peer.engine.waitingBytes).toBe(0);
    expect(peer.codes('RCPT TO:<one@us.test>', 'MAIL FROM:<a@b.test>')).toEqual(['503 5.5.1', '503 5.5.1']);
    expect(peer.isClosed).toBe(false);
  });

  it('forgets EHLO, sender and recipients (RFC 3207 §4.2)', () => {
    const peer = peerAfter(...toBody, 'STARTTLS');
    expect(peer.say('DATA\r\nMAIL FROM:<a@b.test>\r\n')).toEqual([
      '503 5.5.1 Say EHLO or HELO first',
      '503 5.5.1 Say EHLO or HELO first',
    ]);
    expect(peer.engine.isInTransaction).toBe(false);
    peer.codes('EHLO client.test', 'MAIL FROM:<a@b.test>', 'RCPT TO:<two@us.test>', 'DATA');
    peer.codes('text', '.');
    expect(peer.taken.map(({ recipients }) => recipients)).toEqual([['two']]);
  });

  it('between chunks lets go of what has come, before the handshake', () => {
    const engine = new SmtpEngine<string>({ ...engineSettings, offersTls: true });
    const body = new MessageBuffer();
    engine.push(Buffer.from(`${toBody.join('\r\n')}\r\nBDAT 3\r\na\r\nSTARTTLS\r\n`));
    for (let step = engine.step(); step.kind !== 'tls'; step = engine.step()) {
      if (step.kind === 'transaction') engine.answerTransaction(undefined);
      else if (step.kind === 'recipient') engine.answerRecipient({ recipient: 'one' });
      else if (step.kind === 'body') engine.answerBody({ body });
      else if (step.kind !== 'refused') expect.unreachable(step.kind);
    }
    expect([engine.isReceivingMessage, [...body.pieces()]]).toEqual([false, []]);
  });

  it('does not bring budgets back', () => {
    const peer = new EnginePeer({ offersTls: true, badCommandsMax: 3 });
    peer.codes('EHLO client.test', 'XYZZY', 'XYZZY', 'STARTTLS', 'EHLO client.test');
    expect(peer.codes('XYZZY').slice(-1)).toEqual(['421 4.7.0']);
  });
});
