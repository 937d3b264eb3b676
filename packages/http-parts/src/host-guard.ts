// Checks the host that a request names. Otherwise a web page whose name is made to resolve here (DNS rebinding) could
// call a service on loopback, or one that asks for no credentials.

import { isIP } from 'node:net';

import { isLoopback } from '../../networks/src/client-network.ts';
import { RefusedRequestError } from './body.ts';

export interface HostSettings {
  /** The address listened on. */
  readonly host: string;
  /** An origin, or ''. */
  readonly publicUrl: string;
  /** `*`, hosts, or hosts with a port; empty for the default. */
  readonly hosts: readonly string[];
  /** Whether requests without credentials see mail: then only hosts that no foreign page can have are accepted. */
  readonly isOpen?: boolean;
}

export interface ParsedHost {
  /** In lower case, without brackets and final dot. */
  readonly name: string;
  readonly port: string;
  /** Whether it was written with a final dot. */
  readonly isRooted: boolean;
}

/** Parses a Host field or an entry of the settings; undefined when invalid (RFC 9110 §7.2). */
export function parseHost(text: string): ParsedHost | undefined {
  const match = /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9._-]{1,255}))(?::(\d{0,5}))?$/i.exec(text);
  const given = match?.[1] ?? match?.[2] ?? '';
  const name = given.replace(/\.$/, '').toLowerCase();
  return name === '' ? undefined : { name, port: match?.[3] ?? '', isRooted: given.endsWith('.') };
}

/** Reports whether a host, without brackets, is this machine itself, whatever a name server says (RFC 6761 §6.3). */
export function isLoopbackName(host: string): boolean {
  return isLoopback(host) || isLocalhost(host.toLowerCase());
}

function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/** A page of the Internet has a name with a dot; without one, it is a machine or a service of the local network. */
function isSingleLabel(name: string): boolean {
  return !name.includes('.') && isIP(name) === 0;
}

function toAllows({ host, publicUrl, hosts, isOpen = false }: HostSettings): (asked: ParsedHost) => boolean {
  const isAny = hosts.length === 0 && !isOpen && !isLoopbackName(host);
  if (hosts.includes('*') || isAny) return () => true;
  const allowed = hosts.map((entry) => parseHost(entry)).filter((entry) => entry !== undefined);
  const isNamed = (asked: ParsedHost): boolean =>
    allowed.some(({ name, port }) => name === asked.name && (port === '' || port === asked.port));
  if (isOpen) return (asked) => isNamed(asked) || isPrivateName(asked);
  if (hosts.length > 0) return isNamed;
  const publicName = publicUrl === '' ? undefined : parseHost(new URL(publicUrl).host)?.name;
  return ({ name }) => isIP(name) !== 0 || isLocalhost(name) || name === publicName;
}

/** A final dot would make a top-level domain of a single label. */
function isPrivateName({ name, isRooted }: ParsedHost): boolean {
  return isIP(name) !== 0 || isLocalhost(name) || (isSingleLabel(name) && !isRooted);
}

/** Throws for a request that must not be answered. */
export type HostGuard = (request: {
  readonly url?: string | undefined;
  readonly httpVersion: string;
  readonly rawHeaders: readonly string[];
}) => void;

/** The guard throws RefusedRequestError. */
export function createHostGuard(settings: HostSettings): HostGuard {
  const allows = toAllows(settings);
  // Most requests name the same host; it need not be parsed again.
  let lastAllowed: string | undefined;

  function check(text: string): void {
    if (text === lastAllowed) return;
    const asked = parseHost(text);
    if (!asked) throw new RefusedRequestError('malformed_request', 'The Host field is not a valid host.');
    if (!allows(asked)) throw new RefusedRequestError('wrong_host', 'This host is not served here.');
    lastAllowed = text;
  }

  return ({ url = '', httpVersion, rawHeaders }) => {
    const given = findHosts(rawHeaders);
    if (given.length > 1) {
      throw new RefusedRequestError('malformed_request', 'The request has more than one Host field.');
    }
    // Browsers always send one, so an HTTP/1.0 request without it (old health checks) is no risk.
    if (given[0] !== undefined) check(given[0]);
    else if (httpVersion !== '1.0') {
      throw new RefusedRequestError('malformed_request', 'The request has no Host field.');
    }
    // A host in absolute form overrides the field (RFC 9112 §3.2.2).
    if (url.startsWith('/')) return;
    const authority = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1];
    if (authority === undefined) {
      throw new RefusedRequestError('malformed_request', 'The target is neither a path nor a URL.');
    }
    check(authority);
  };
}

/** Returns all Host fields; Node keeps only the first. */
function findHosts(rawHeaders: readonly string[]): string[] {
  const hosts: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts.push(rawHeaders[at + 1] ?? '');
  }
  return hosts;
}
