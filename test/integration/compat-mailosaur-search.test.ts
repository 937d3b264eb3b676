// Searching and waiting as Mailosaur's clients do.

import { describe, expect, it } from 'vitest';

import { startCompat } from './compat-harness.ts';
import { basic, callerOf, lend, mail, rich, searcherOf } from './mailosaur-calls.ts';

describe('a search', () => {
  it('finds by sender, recipient, subject and body, newest first, by pages', async () => {
    const harness = await startCompat();
    const lent = await lend(harness, 'fox');
    const search = searcherOf(harness, lent);
    for (const subject of ['One', 'Two', 'Three']) {
      await harness.deliver(mail(subject, `Parcel ${subject}.`), [lent.session]);
    }
    expect((await search({ sentFrom: 'ann@shop.example' })).subjects).toEqual(['Three', 'Two', 'One']);
    expect((await search({ sentTo: lent.session.address, subject: 'tw' })).subjects).toEqual(['Two']);
    expect((await search({ body: 'parcel ONE' })).subjects).toEqual(['One']);
    expect((await search({ body: 'parcel', subject: 'two', match: 'ANY' })).subjects).toHaveLength(3);
    const pages = [0, 1, 2].map((page) => search({ body: 'parcel' }, `&itemsPerPage=1&page=${page}`));
    expect((await Promise.all(pages)).map(({ subjects }) => subjects)).toEqual([['Three'], ['Two'], ['One']]);
  });

  it('finds text of the HTML if there is a plain text too', async () => {
    const harness = await startCompat();
    const lent = await lend(harness, 'fox');
    const search = searcherOf(harness, lent);
    await harness.deliver(rich, [lent.session]);
    expect((await search({ body: '>Open<' })).subjects).toEqual(['Welcome']);
  });

  it('finds mail received at the given instant or later', async () => {
    const harness = await startCompat();
    const lent = await lend(harness, 'fox');
    const [call, search] = [callerOf(harness, lent.token), searcherOf(harness, lent)];
    await harness.deliver(mail('Old'), [lent.session]);
    harness.advance(60_000);
    const since = new Date(harness.now()).toISOString();
    await harness.deliver(mail('New'), [lent.session]);
    expect((await search({ sentFrom: 'ann@shop.example' }, `&receivedAfter=${since}`)).subjects).toEqual([
      'New',
    ]);
    const { json } = await call(`/api/messages?server=${lent.server}&receivedAfter=${since}`);
    expect(json).toMatchObject({ items: [{ subject: 'New' }] });
  });

  it('is delayed while it is empty, and completed by the mail that matches', async () => {
    const harness = await startCompat();
    const lent = await lend(harness, 'fox');
    const search = searcherOf(harness, lent);
    await harness.deliver(mail('Other'), [lent.session]);
    // Each empty response was delayed, so clients repeat the request at once.
    const askAgain = async (): Promise<string[]> => {
      const { subjects, delay } = await search({ subject: 'wanted' });
      if (delay === undefined) return subjects;
      expect(delay).toBe('1');
      return askAgain();
    };
    const found = askAgain();
    await expect.poll(() => harness.countLive()).toBe(1);
    await harness.deliver(mail('Wanted'), [lent.session]);
    expect(await found).toEqual(['Wanted']);
    expect(harness.countLive()).toBe(0);
  });

  it('reports the delay when nothing arrived', async () => {
    const harness = await startCompat();
    const lent = await lend(harness, 'fox');
    const search = searcherOf(harness, lent);
    expect(await search({ subject: 'wanted' })).toEqual({ subjects: [], delay: '1' });
  });

  it('is not delayed for mail that can never arrive, when too many wait, or while the service stops', async () => {
    const harness = await startCompat();
    const lent = await lend(harness, 'fox');
    const [call, search] = [callerOf(harness, lent.token), searcherOf(harness, lent)];
    const empty = { subjects: [], delay: '1000' };
    expect(await search({ subject: 'wanted' }, '&dir=Sent')).toEqual(empty);
    const path = `/api/messages/await?server=${lent.server}&timeout=100000`;
    const waits = Array.from({ length: 10 }, () =>
      call(path, { method: 'POST', json: { subject: 'wanted' } }),
    );
    await expect.poll(() => harness.countLive()).toBe(waits.length);
    expect(await search({ subject: 'wanted' })).toEqual(empty);
    harness.closeLive();
    expect((await Promise.all(waits)).map(({ status }) => status)).toEqual(waits.map(() => 204));
    expect(await search({ subject: 'wanted' })).toEqual(empty);
  });

  it('leaves nothing behind when the client goes', async () => {
    const harness = await startCompat();
    const { token, server } = await lend(harness, 'fox');
    const gone = new AbortController();
    const held = fetch(`${harness.origin}/api/messages/await?server=${server}&timeout=100000`, {
      method: 'POST',
      headers: basic(token),
      body: '{"subject":"wanted"}',
      signal: gone.signal,
    }).catch((error: unknown) => error);
    await expect.poll(() => harness.countLive()).toBe(1);
    gone.abort();
    await held;
    await expect.poll(() => harness.countLive()).toBe(0);
  });

  it('returns older clients the first match in full, or nothing', async () => {
    const harness = await startCompat();
    const { token, server, session } = await lend(harness, 'fox');
    const call = callerOf(harness, token);
    const path = `/api/messages/await?server=${server}&timeout=0`;
    const criteria = { method: 'POST', json: { subject: 'wel' } };
    expect((await call(path, criteria)).status).toBe(204);
    await harness.deliver(rich, [session]);
    expect((await call(path, criteria)).json).toMatchObject({
      subject: 'Welcome',
      html: { codes: [{}] },
    });
  });
});
