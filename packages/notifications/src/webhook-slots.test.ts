import { expect, it } from 'vitest';

import { type DueEndpoint, WebhookSlots } from './webhook-slots.ts';

const operatorEndpoint = 1;

const tag = (text: string): Buffer => Buffer.from(text);

function endpoint(endpointId: number, given: Partial<DueEndpoint> = {}): DueEndpoint {
  const own = { hostTag: tag(`host ${endpointId}`), makerTag: tag(`maker ${endpointId}`) };
  return { endpointId, standing: 'active', ...own, ...given };
}

function many(count: number, given: Partial<DueEndpoint> = {}, from = 2): DueEndpoint[] {
  return Array.from({ length: count }, (_, at) => endpoint(from + at, given));
}

const rowsOf = (slots: WebhookSlots, endpoints: readonly DueEndpoint[]): number =>
  slots.share(endpoints).reduce((sum, { rows }) => sum + rows, 0);

it("keeps the operator's places whatever sessions take, and the other way round", () => {
  const slots = new WebhookSlots(operatorEndpoint);
  for (const one of many(24)) expect(slots.take(one)).toBeDefined();
  expect([slots.hasSessionRoom(), slots.operatorRoom()]).toEqual([false, 8]);
  const release = Array.from({ length: 8 }, () => slots.takeOperators());
  expect(slots.operatorRoom()).toBe(0);
  release[0]!();
  expect(slots.operatorRoom()).toBe(1);
});

it('gives in turns: one to each before a second to any', () => {
  const slots = new WebhookSlots(operatorEndpoint);
  expect(slots.share(many(3))).toEqual([2, 3, 4].map((endpointId) => ({ endpointId, rows: 4 })));
  const shares = slots.share(many(10));
  expect(shares.map(({ rows }) => rows)).toEqual([3, 3, 3, 3, 2, 2, 2, 2, 2, 2]);
});

it('lets no endpoint, host or network have all places', () => {
  const slots = new WebhookSlots(operatorEndpoint);
  expect(rowsOf(slots, many(1))).toBe(4);
  expect(rowsOf(slots, many(30, { hostTag: tag('one host') }))).toBe(8);
  expect(rowsOf(slots, many(30, { makerTag: tag('one network') }))).toBe(12);
  expect(rowsOf(slots, many(30, { makerTag: null, hostTag: null }))).toBe(24);
});

it.each(['failing', 'pending'] as const)('leaves most places free of endpoints that are %s', (standing) => {
  const slots = new WebhookSlots(operatorEndpoint);
  expect(rowsOf(slots, many(30, { standing }))).toBe(8);
  expect(rowsOf(slots, many(30, { standing, makerTag: tag('one network') }))).toBe(4);
  for (const one of many(8, { standing })) slots.take(one);
  expect(slots.take(endpoint(99, { standing }))).toBeUndefined();
  expect(rowsOf(slots, many(30, {}, 100))).toBe(16);
});

it('tells what need not be looked for, until it is given back', () => {
  const slots = new WebhookSlots(operatorEndpoint);
  const one = endpoint(2, { standing: 'failing' });
  const back = Array.from({ length: 4 }, () => slots.take(one)!);
  expect(slots.except()).toEqual({ standings: [], endpoints: [2], hostTags: [], makerTags: [] });
  for (const other of many(4, { standing: 'failing', hostTag: tag('h') }, 10)) slots.take(other);
  for (const other of many(4, { hostTag: tag('h'), makerTag: tag('m') }, 20)) slots.take(other);
  expect(slots.except()).toEqual({
    standings: ['failing'],
    endpoints: [2],
    hostTags: [tag('h')],
    makerTags: [],
  });
  for (const release of back) release();
  expect(slots.except()).toMatchObject({ standings: [], endpoints: [] });
  expect(slots.share([one])).toEqual([{ endpointId: 2, rows: 4 }]);
});
