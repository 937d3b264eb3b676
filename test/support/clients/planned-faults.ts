// The faults in which clients of senders are tried, on the built service: each the service's own answer to the next
// call of an inbox, or one that the call itself brings about.

import type { SenderService } from './sender-service.ts';

/** The rule of a plan, by situation; the others need none. */
export const plannedFaults: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  limited: { code: '429' },
  failing: { code: '500' },
  late: { delay_ms: '30000' },
};

/** Makes the next `times` calls fail so. */
export async function planFault(
  { ownOrigin }: SenderService,
  token: string,
  rule: Readonly<Record<string, string>>,
  times = 1,
): Promise<void> {
  const body = new URLSearchParams({ stage: 'http', first: String(times), ...rule });
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${ownOrigin}/smtp-faults`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(await answer.text());
}
