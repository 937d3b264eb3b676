import { expect, it } from 'vitest';

import { createServiceTurns } from '../session/service-turns.ts';
import { preparePassword } from './session-password.ts';

it('gives a stranger the next turn, however many addresses of one /24 have passwords derived', async () => {
  const turns = createServiceTurns(1);
  const order: string[] = [];
  const derive = (network: string): Promise<unknown> =>
    preparePassword({ turns }, 'a long enough password', network).then(() => order.push(network));
  const many = Array.from({ length: 8 }, (_, i) => derive(`192.0.2.${i}`));
  await Promise.all([...many, derive('198.51.100.1')]);
  expect(order.indexOf('198.51.100.1')).toBeLessThanOrEqual(1);
});
