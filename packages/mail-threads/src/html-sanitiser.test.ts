// The sanitiser as services use it, with the built worker.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { createHtmlSanitiser } from './html-sanitiser.ts';
import { createReaderThreads } from './reader-threads.ts';

const refuse = (message: string): Error => Object.assign(new Error(message), { code: 'unavailable' });
const workerUrl = pathToFileURL(path.join(inject('buildDir'), 'packages/mail-threads', 'reader-worker.js'));
const faults: object[] = [];
const readers = createReaderThreads({ parsing: 2, idleMs: 30_000, refuse, workerUrl });
const sanitiser = createHtmlSanitiser({
  readers,
  timeBudgetMs: 1_500,
  onFault: (fault) => faults.push(fault),
});
const owner = { session: 'a', network: '192.0.2.1' };
const other = { session: 'b', network: '192.0.2.2' };
const input = { images: 'none', contentIds: [] } as const;
const page = (body: string): string => `<html><head></head><body>${body}</body></html>`;
const safe = {
  kind: 'safe',
  html: expect.objectContaining({ pieces: [page('<p>x</p>')], remoteContent: 0 }),
};

afterAll(() => readers.close());

describe('createHtmlSanitiser', () => {
  it('answers from its thread', async () => {
    await expect(
      sanitiser.sanitise({ ...input, html: '<p onclick=x>x</p><script>1</script>' }, owner),
    ).resolves.toEqual(safe);
  });

  it('has jsdom at hand for what is left in doubt', async () => {
    const doubting = createHtmlSanitiser({ onFault: () => undefined, readers, timeBudgetMs: 15_000 });
    // The Kelvin sign: DOMPurify takes it for a k, our proof does not.
    const html = '<mar\u212a onclick=x>x</mar\u212a>';
    await expect(doubting.sanitise({ ...input, html }, owner)).resolves.toMatchObject({
      html: { pieces: [page('<mar\u212a>x</mar\u212a>')] },
    });
  });

  it('answers a reason in place of HTML that takes too long, and goes on with the next', async () => {
    // Left in doubt, and many: jsdom takes over a minute on any machine.
    const html = '<mar\u212a></mar\u212a>'.repeat(100_000);
    const slow = sanitiser.sanitise({ ...input, html }, other);
    const next = sanitiser.sanitise({ ...input, html: '<p>x</p>' }, owner);
    await expect(slow).resolves.toEqual({
      kind: 'failed',
      reason: 'checking the HTML took too long',
      isProvisional: true,
    });
    await expect(next).resolves.toEqual(safe);
    expect(faults).toEqual([{ cause: 'slow', detail: 'took longer than 1.5 s' }]);
  });

  it('answers a reason in place of HTML that is too large, without a thread', async () => {
    const own = createReaderThreads({
      parsing: 2,
      idleMs: 30_000,
      refuse,
      workerUrl: new URL('data:text/javascript,'),
    });
    const idle = createHtmlSanitiser({ onFault: () => undefined, readers: own });
    const html = `<p>${'x'.repeat(2 * 1024 * 1024)}`;
    await expect(idle.sanitise({ ...input, html }, owner)).resolves.toEqual({
      kind: 'failed',
      reason: 'the HTML is too large to be checked',
    });
    await own.close();
  });
});
