// Contract: entries of the audit are kept across a restart, listed from the newest, and dropped by age and number. Found
// by mail-store.ts.

import { expect, it } from 'vitest';

import type { AuditEntry } from '#audit/entry';
import { hourMs, openForTest, type OpenStore } from '../store-fixture.ts';

const entry = (id: string, given: Partial<AuditEntry> = {}): Omit<AuditEntry, 'at'> => ({
  id,
  actor: { kind: 'key', name: 'ops' },
  action: 'add-domain',
  target: 'Zürich 🦋 “quoted” \\ % _',
  outcome: 'begun',
  detail: '',
  ...given,
});
const everything = { since: 0, limit: 100 };

export function contract(open: OpenStore): void {
  it('keeps entries and their ends across a restart', async () => {
    const store = await openForTest(open);
    const at = store.clock.now();
    await store.audit.addEntry(entry('a'));
    const end = { id: 'a', outcome: 'done', target: 'other', detail: 'well' } as const;
    await store.audit.endEntry(end);
    await store.audit.endEntry({ ...end, id: 'unknown' });
    await store.reopen();
    expect(await store.audit.listEntries(everything)).toEqual([{ ...entry('a'), ...end, at }]);
  });

  it('lists the newest first, from an instant, and after an entry of the same instant', async () => {
    const store = await openForTest(open);
    for (const id of ['b', 'c', 'a']) await store.audit.addEntry(entry(id));
    store.clock.advance(hourMs);
    await store.audit.addEntry(entry('d', { target: '' }));
    const ids = async (request: Partial<Parameters<typeof store.audit.listEntries>[0]>): Promise<string> =>
      (await store.audit.listEntries({ ...everything, ...request })).map(({ id }) => id).join('');
    expect(await ids({})).toBe('dcba');
    expect(await ids({ limit: 2 })).toBe('dc');
    expect(await ids({ since: store.clock.now() })).toBe('d');
    expect(await ids({ after: { at: store.clock.now() - hourMs, id: 'c' } })).toBe('ba');
  });

  it('drops what is too old, and the oldest beyond a number, of refusals apart', async () => {
    const store = await openForTest(open);
    await store.audit.addEntry(entry('old'));
    for (const id of ['1', '2', '3']) {
      store.clock.advance(hourMs);
      await store.audit.addEntry(entry(`done ${id}`, { outcome: 'done' }));
      await store.audit.addEntry(entry(`refused ${id}`, { outcome: 'refused' }));
    }
    await store.audit.sweepEntries({
      before: store.clock.now() - 2 * hourMs,
      refusedMax: 1,
      othersMax: 2,
    });
    const left = await store.audit.listEntries(everything);
    expect(left.map(({ id }) => id).sort()).toEqual(['done 2', 'done 3', 'refused 3']);
  });
}
