import { describe, expect, it } from 'vitest';

import type { Inbox } from 'mayfly-client';
import type { SiteAddress } from './addresses.ts';
import { findInMail, findInSummary } from './find-offer.ts';

const address = { site: 'shop.com', key: 'shop.com' } as SiteAddress;
const plain = { ...address, key: 'http://shop.com' };

/** The link of a mail that has this one. */
async function linkOf(url: string, flags: readonly string[], of = address): Promise<unknown> {
  const message = {
    id: 1,
    code: null,
    senderEmail: 'a@shop.com',
    codes: [],
    links: [{ url, flags, clickable: true, kind: 'verify' }],
  };
  const inbox = { read: () => Promise.resolve(message) } as unknown as Inbox;
  const { link } = await findInMail(inbox, 1, of);
  return link;
}

describe('a link', () => {
  it.each([
    ['https://mail.shop.com/verify?t=1', [], 'mail.shop.com', false],
    ['https://click.example/?u=1', [], 'click.example', true],
    ['https://shop.com/?u=1', ['mismatch'], 'shop.com', true],
    ['http://shop.com/verify?t=1', [], 'http://shop.com', true],
    ['http://localhost:3000/verify', [], 'localhost:3000', true],
  ])('to %s with the flags %j is shown as %s, doubtful: %s', async (url, flags, host, isDoubtful) => {
    expect(await linkOf(url, flags)).toEqual({ kind: 'verify', host, isDoubtful });
  });

  it('without encryption is no step down from a page without it', async () => {
    expect(await linkOf('http://shop.com/verify?t=1', [], plain)).toEqual({
      kind: 'verify',
      host: 'shop.com',
      isDoubtful: false,
    });
  });
});

describe('a sender', () => {
  it.each([
    ['hi@mail.shop.com', null],
    ['hi@shop.com.evil.net', 'shop.com.evil.net'],
    ['hi@b\u00e4nk.example', 'xn--bnk-qla.example'],
    ['hi@shop.com\u202e', '?'],
    ['hi@\u202emoc.pohs.example', '?'],
    ['hi@', '?'],
    ['', '?'],
  ])('%j is named as %j', (senderEmail, foreignSender) => {
    expect(findInSummary({ id: 1, code: null, senderEmail } as never, address).foreignSender).toBe(
      foreignSender,
    );
  });
});
