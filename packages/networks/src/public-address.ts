// Recognises public IP addresses, the only ones that outgoing requests may go to unless the operator allows others, and
// those at which other hosts do not reach a server. Sources: the IANA special-purpose registries (RFC 6890 and successors).

import { BlockList, isIP, SocketAddress } from 'node:net';

/** All of IPv4 that is not a single host on the Internet. */
const specialIpv4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, metadata services of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/3', // multicast, reserved, broadcast
];

/** Special blocks within global unicast. Everything outside it (mapped, NAT64, local, multicast …) is refused. */
const specialIpv6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
];

/** Addresses of the machine itself, or of no host. */
const noOtherHost = listOnce(['0.0.0.0/8', '127.0.0.0/8', '224.0.0.0/3', '::/127', 'ff00::/8']);
const ownNetwork = listOnce([
  ...['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
  ...['fc00::/7', 'fe80::/10', 'fec0::/10'],
]);

const globalUnicast = listOnce(['2000::/3']);
const special = listOnce([...specialIpv4, ...specialIpv6]);

/** Made when first asked for: together they take 5 ms of every start, also of commands that need none. */
function listOnce(blocks: readonly string[]): () => BlockList {
  let list: BlockList | undefined;
  return () => (list ??= toBlockList(blocks));
}

/** Parses an address, or a block such as `10.0.0.0/8`; undefined for anything else. */
export function parseBlock(text: string): { address: string; prefix: number; family: 4 | 6 } | undefined {
  const [address = '', length, ...rest] = text.split('/');
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 0 || rest.length > 0) return undefined;
  const bits = family === 4 ? 32 : 128;
  if (length === undefined) return { address, prefix: bits, family: family === 4 ? 4 : 6 };
  const prefix = Number(length);
  if (!/^\d{1,3}$/.test(length) || prefix > bits) return undefined;
  return { address, prefix, family: family === 4 ? 4 : 6 };
}

/** @throws Error for an invalid block */
export function toBlockList(blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of blocks) {
    const block = parseBlock(text);
    if (!block) throw new Error(`Not an address or block: ${text}`);
    list.addSubnet(block.address, block.prefix, block.family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** Reports whether the list contains the address, which must be valid. */
export function isListed(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/** Also false for invalid addresses and for those with a zone. */
export function isPublicAddress(address: string): boolean {
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 4) return !special().check(address, 'ipv4');
  if (family !== 6 || !globalUnicast().check(address, 'ipv6')) return false;
  return !special().check(address, 'ipv6') && !isIsatap(address);
}

/** Returns who reaches a host at the address, which must be valid; `anyone` as far as the address says. */
export function reachOf(address: string): 'none' | 'network' | 'anyone' {
  if (isListed(noOtherHost(), address)) return 'none';
  return isListed(ownNetwork(), address) ? 'network' : 'anyone';
}

/** ISATAP (RFC 5214 §6.1) embeds an IPv4 address in the interface id `[02]00:5efe:a.b.c.d` under any prefix. */
function isIsatap(address: string): boolean {
  const groups = expandGroups(address);
  const [kind, marker] = [groups[4] ?? 0, groups[5] ?? 0];
  return marker === 0x5efe && (kind & 0xfdff) === 0;
}

/** Returns the eight groups of a global unicast address, whose canonical form never has a dotted quad. */
function expandGroups(address: string): number[] {
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address;
  const [head = '', tail] = canonical.split('::');
  const toGroups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((part) => parseInt(part, 16));
  const [before, after] = [toGroups(head), toGroups(tail ?? '')];
  return [...before, ...Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0), ...after];
}
