import { expect, it } from 'vitest';

import { cpuMsOf } from '../../../test/support/cpu-time.ts';
import { createClientAddressReader } from './client-address.ts';

const readForwarded = createClientAddressReader({ trustedProxies: ['10.0.0.0/8'], proxyHeader: 'forwarded' });

it('reads Forwarded in linear time', () => {
  const timeOf = (length: number): number =>
    cpuMsOf(() => {
      for (const piece of ['for="', '\\', 'a=', ',', ';', 'for=1,', '" ', ' ', 'a= ', '\t']) {
        readForwarded('10.0.0.1', piece.repeat(length));
      }
    });
  timeOf(4000);
  expect(timeOf(32_000)).toBeLessThan(8 * 4 * timeOf(4000) + 100);
});
