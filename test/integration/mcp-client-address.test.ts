// The MCP server finds clients behind proxies as the service does. It is published without the service, so it has a copy
// of that code.

import { readFile } from 'node:fs/promises';

import { expect, it } from 'vitest';

import { plainAddress } from '#networks/client-network';
import { isListed, parseBlock, toBlockList } from '#networks/public-address';
import * as copied from '../../clients/mcp/src/addresses.ts';

/** Without its first lines, which import. */
async function readCode(file: string): Promise<string> {
  const text = await readFile(file, 'utf8');
  return text.slice(text.indexOf('export interface ProxySettings'));
}

it('has the service’s own code', async () => {
  const own = await readCode('packages/networks/src/client-address.ts');
  expect(own.length).toBeGreaterThan(1000);
  expect(await readCode('clients/mcp/src/client-address.ts')).toBe(own);
});

const addresses = [
  ...['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:c000:201', '::ffff:999.0.2.1', '10.255.0.1'],
  ...['2001:db8::1', 'fe80::1%eth0', 'fd00::7', '::1', '', 'unknown', '1.2.3'],
];
const blocks = [
  ...[
    '10.0.0.0/8',
    '192.0.2.1',
    '192.0.2.0/33',
    '0.0.0.0/0',
    'fd00::/8',
    '2001:db8::1/128',
    '::/0',
    '::1/129',
  ],
  ...['10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/-1', 'fe80::1%eth0/64', 'localhost', '', '10.0.0.0/08'],
];

it('reads addresses and blocks as the service does', () => {
  for (const address of addresses) expect(copied.plainAddress(address)).toBe(plainAddress(address));
  for (const block of blocks) {
    expect([block, copied.isBlock(block)]).toEqual([block, parseBlock(block) !== undefined]);
    if (!copied.isBlock(block)) {
      expect(() => copied.toBlockList([block])).toThrow('Not an address or block');
      continue;
    }
    const [mine, own] = [copied.toBlockList([block]), toBlockList([block])];
    for (const address of ['10.9.9.9', '192.0.2.1', '192.0.2.2', 'fd00::7', '2001:db8::1', '::1']) {
      expect([block, address, copied.isListed(mine, address)]).toEqual([
        block,
        address,
        isListed(own, address),
      ]);
    }
  }
});
