import { expect, it } from 'vitest';

import { readTotals, toMinutes } from './rates.ts';

const text = `# HELP mayfly_messages_total Messages.
# TYPE mayfly_messages_total counter
mayfly_messages_total{source="smtp",outcome="stored",reason=""} 7
mayfly_messages_total{source="gmail",outcome="stored",reason=""} 2
mayfly_messages_total{source="smtp",outcome="refused",reason="size"} 3
mayfly_messages_total_of_others 100
mayfly_smtp_connections_total{outcome="accepted"} 12
mayfly_sessions_created_total 5
mayfly_http_requests_total{route="check-mail",status="200"} 40
mayfly_http_requests_total{route="check-mail",status="429"} 2
`;

it('sums what is counted by its outcome', () => {
  expect(readTotals(text)).toEqual([9, 3, 12, 5, 42, 0]);
});

it('tells how many came a minute, also across a new start', () => {
  const samples = [
    { atMs: 0, totals: [10] },
    { atMs: 30_000, totals: [15] },
    { atMs: 60_000, totals: [2] },
  ];
  expect(toMinutes(samples, 0)).toEqual([10, 4]);
});
