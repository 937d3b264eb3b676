import { describe, expect, it } from 'vitest';

import { engineSettings } from '../../../../test/support/smtp/engine-peer.ts';
import { replies } from '../reply.ts';
import { SmtpTransaction } from './smtp-transaction.ts';

const mebibyte = 1024 * 1024;

function transactionOf(sizeBytes: number | undefined, recipients: number): SmtpTransaction<string> {
  const mail = { mailFrom: null, sizeBytes, isUtf8: false };
  const transaction = new SmtpTransaction<string>(mail, engineSettings);
  for (let count = 0; count < recipients; count++) transaction.add(`r${count}@us.test`, `r${count}`);
  return transaction;
}

describe('limits of a message', () => {
  it.each([
    ['nothing declared, one recipient', undefined, 1, 36 * mebibyte],
    ['nothing declared, two recipients', undefined, 2, 32 * mebibyte],
    ['nothing declared, 100 recipients', undefined, 100, Math.floor((64 * mebibyte) / 100)],
    ['0 declared', 0, 1, 65_536],
    ['1 declared', 1, 1, 65_538],
    ['1 MiB declared', mebibyte, 1, 1.25 * mebibyte + 65_536],
    ['all of it declared', 36 * mebibyte, 1, 36 * mebibyte],
    ['1 MiB declared, 64 recipients', mebibyte, 64, mebibyte],
  ])('%s', (_name, sizeBytes, recipients, bytes) => {
    expect(transactionOf(sizeBytes, recipients).messageMaxBytes).toBe(bytes);
  });
});

describe('why no message may follow', () => {
  it('is said as long as there is no recipient', () => {
    const transaction = transactionOf(undefined, 0);
    expect(transaction.findRefusal()).toBe(replies.recipientFirst);
    transaction.recordRefused();
    expect(transaction.findRefusal()).toBe(replies.noValidRecipients);
    transaction.add('one@us.test', 'one');
    expect(transaction.findRefusal()).toBeUndefined();
  });
});
