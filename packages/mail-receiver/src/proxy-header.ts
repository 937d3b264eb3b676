// The PROXY protocol, versions 1 and 2 (haproxy.org/download/2.9/doc/proxy-protocol.txt), by which a load balancer
// names the original peer. Read only from addresses that the operator configured; pure.

import { isIPv4, isIPv6 } from 'node:net';

/** The longest header read: version 1 has at most 107 bytes, version 2 addresses and room for extensions. */
const headerMaxBytes = 2048;
const v1MaxBytes = 107;
const v2Signature = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');
const v2FixedBytes = 16;
/** Unspecified, datagrams and UNIX sockets: valid, but without a usable peer address. */
const familiesWithoutUse = new Set([0x00, 0x12, 0x22, 0x31, 0x32]);

export type ProxyHeader =
  /** More bytes are needed. */
  | { readonly state: 'partial' }
  | { readonly state: 'invalid' }
  /**
   * `sourceAddress` may be a mapped IPv4 address; it is undefined when the balancer speaks for itself (a health check)
   * or does not know.
   */
  | { readonly state: 'complete'; readonly bytes: number; readonly sourceAddress: string | undefined };

const partial: ProxyHeader = { state: 'partial' };
const invalid: ProxyHeader = { state: 'invalid' };

/** Parses the header at the start of `input`. */
export function parseProxyHeader(input: Buffer): ProxyHeader {
  const common = Math.min(input.length, v2Signature.length);
  if (input.subarray(0, common).equals(v2Signature.subarray(0, common))) {
    return input.length < v2FixedBytes ? partial : parseV2(input);
  }
  return parseV1(input);
}

function parseV1(input: Buffer): ProxyHeader {
  const start = Buffer.from('PROXY ');
  const common = Math.min(input.length, start.length);
  if (!input.subarray(0, common).equals(start.subarray(0, common))) return invalid;
  const line = input.subarray(0, v1MaxBytes);
  const end = line.indexOf('\r\n');
  // No other line end can complete the header, so stop waiting.
  if (end < 0) return line.length === v1MaxBytes || line.includes(10) ? invalid : partial;
  const words = input.toString('latin1', 0, end).split(' ');
  const [, family, source = '', destination = '', sourcePort, destinationPort] = words;
  const bytes = end + 2;
  if (family === 'UNKNOWN') return { state: 'complete', bytes, sourceAddress: undefined };
  const isAddress = family === 'TCP4' ? isIPv4 : family === 'TCP6' ? isIPv6WithoutZone : () => false;
  const hasAddresses = isAddress(source) && isAddress(destination);
  const hasPorts = isPort(sourcePort) && isPort(destinationPort);
  const isValid = words.length === 6 && hasAddresses && hasPorts;
  return isValid ? { state: 'complete', bytes, sourceAddress: source } : invalid;
}

function isIPv6WithoutZone(text: string): boolean {
  return isIPv6(text) && !text.includes('%');
}

function isPort(text: string | undefined): boolean {
  return text !== undefined && /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
}

function parseV2(input: Buffer): ProxyHeader {
  const command = input[12] as number;
  const family = input[13] as number;
  const bytes = v2FixedBytes + input.readUInt16BE(14);
  if (command >> 4 !== 2 || (command & 15) > 1 || bytes > headerMaxBytes) return invalid;
  if (input.length < bytes) return partial;
  const isLocal = (command & 15) === 0;
  const addresses = input.subarray(v2FixedBytes, bytes);
  switch (isLocal ? 0 : family) {
    case 0x11:
      if (addresses.length < 12) return invalid;
      return { state: 'complete', bytes, sourceAddress: [...addresses.subarray(0, 4)].join('.') };
    case 0x21:
      if (addresses.length < 36) return invalid;
      return { state: 'complete', bytes, sourceAddress: formatIPv6(addresses.subarray(0, 16)) };
    default:
      return isLocal || familiesWithoutUse.has(family)
        ? { state: 'complete', bytes, sourceAddress: undefined }
        : invalid;
  }
}

function formatIPv6(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16));
  return new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1);
}

/** Collects the first bytes of a connection. */
export class ProxyHeaderReader {
  #bytes: Buffer = Buffer.alloc(0);

  /** `rest`: the bytes after a complete header. */
  push(bytes: Buffer): { readonly header: ProxyHeader; readonly rest: Buffer } {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    const header = parseProxyHeader(this.#bytes);
    const rest = this.#bytes.subarray(header.state === 'complete' ? header.bytes : this.#bytes.length);
    return { header, rest };
  }
}
