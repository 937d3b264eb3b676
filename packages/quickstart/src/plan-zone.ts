// The records of a domain for mail and the page, and the forms in which operators enter them.

export interface ZoneRecord {
  /** In full, without the final dot; may begin with `*.`. */
  readonly name: string;
  readonly type: 'A' | 'AAAA' | 'MX' | 'TXT';
  /** An address, the name of a host without the final dot, or a text. */
  readonly value: string;
  readonly priority?: number;
  /** Why it is there, in a few words. */
  readonly why: string;
}

export interface ZoneGiven {
  readonly domain: string;
  /** The server: exchange and page. */
  readonly host: string;
  readonly addresses: readonly string[];
  readonly hasMtaSts: boolean;
  /** At most 32 letters and digits; another for each change of the policy. */
  readonly policyId: string;
}

const ttl = 300;

export function planZone({ domain, host, addresses, hasMtaSts, policyId }: ZoneGiven): ZoneRecord[] {
  const hosts = (name: string, why: string): ZoneRecord[] =>
    addresses.map((value) => ({ name, type: value.includes(':') ? 'AAAA' : 'A', value, why }));
  const text = (name: string, value: string, why: string): ZoneRecord => ({ name, type: 'TXT', value, why });
  const mx = (name: string, why: string): ZoneRecord => ({
    name,
    type: 'MX',
    value: host,
    priority: 10,
    why,
  });
  return [
    ...hosts(host, 'the server: mail and page'),
    mx(domain, 'where mail for the domain goes'),
    mx(`*.${domain}`, 'where mail for capture sessions goes'),
    text(domain, 'v=spf1 -all', 'the domain sends no mail'),
    text(`_dmarc.${domain}`, 'v=DMARC1; p=reject;', 'forged mail is refused'),
    ...(hasMtaSts
      ? [
          ...hosts(`mta-sts.${domain}`, 'the policy of MTA-STS'),
          text(`_mta-sts.${domain}`, `v=STSv1; id=${policyId}`, 'senders insist on TLS'),
        ]
      : []),
    text(`_smtp._tls.${domain}`, `v=TLSRPTv1; rua=mailto:postmaster@${domain}`, 'reports of failures of TLS'),
  ];
}

/** Those of the domain's own zone, where a server may be named after another domain. */
export function ofZone(records: readonly ZoneRecord[], domain: string): ZoneRecord[] {
  return records.filter(({ name }) => name === domain || name.endsWith(`.${domain}`));
}

/** RFC 1035 §5, with names in full. */
export function formatZoneFile(records: readonly ZoneRecord[]): string {
  const width = Math.max(...records.map(({ name }) => name.length)) + 1;
  return records
    .map(
      (record) => `${`${record.name}.`.padEnd(width)} ${ttl} IN ${record.type.padEnd(4)} ${toData(record)}\n`,
    )
    .join('');
}

function toData({ type, value, priority }: ZoneRecord): string {
  if (type === 'TXT') return quote(value);
  return type === 'MX' ? `${priority ?? 10} ${value}.` : value;
}

/** In pieces of at most 255 octets (§3.3.14). */
function quote(text: string): string {
  const pieces = text.match(/[^]{1,255}/g) ?? [''];
  return pieces.map((piece) => `"${piece.replaceAll(/["\\]/g, '\\$&')}"`).join(' ');
}

/** For a shell with CF_API_TOKEN and CF_ZONE_ID. Nothing is proxied: mail does not pass there. */
export function formatCloudflare(records: readonly ZoneRecord[]): string {
  const calls = records.map(({ name, type, value, priority, why }) => {
    const content = type === 'TXT' ? quote(value) : value;
    const body = { type, name, content, ttl, ...(type === 'MX' ? { priority } : {}), comment: why };
    const proxied = type === 'A' || type === 'AAAA' ? { proxied: false } : {};
    return `create ${shellQuote(JSON.stringify({ ...body, ...proxied }))}\n`;
  });
  return `#!/bin/sh
# Creates the records through Cloudflare's API. The token needs the right to edit DNS of this zone alone:
#   CF_API_TOKEN=… CF_ZONE_ID=… sh cloudflare.sh
set -eu
create() {
  curl --fail-with-body --silent --show-error --output /dev/null \\
    --header "Authorization: Bearer $CF_API_TOKEN" --header 'Content-Type: application/json' \\
    --data "$1" "https://api.cloudflare.com/client/v4/zones/$CF_ZONE_ID/dns_records"
}
${calls.join('')}`;
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function formatChecklist(
  records: readonly ZoneRecord[],
  isThere: (record: ZoneRecord) => boolean,
): string {
  const width = Math.max(...records.map(({ name }) => name.length));
  return records
    .map((record) => {
      const data = record.type === 'TXT' ? record.value : toData(record);
      const mark = isThere(record) ? 'x' : ' ';
      return `[${mark}] ${record.name.padEnd(width)}  ${record.type.padEnd(4)}  ${data}  (${record.why})\n`;
    })
    .join('');
}

/** The answer of name servers for the name and type of a record. */
export type Answered = readonly (
  string | readonly string[] | { readonly exchange: string; readonly priority: number }
)[];

/** Whether the answer has the record; other records may be beside it. */
export function isAnswered({ type, value }: ZoneRecord, answer: Answered): boolean {
  return answer.some((one) => {
    if (typeof one === 'string') return toKey(one) === toKey(value);
    if ('exchange' in one) return type === 'MX' && one.exchange.replace(/\.$/, '').toLowerCase() === value;
    // The operator's own policy counts: whether it is a good one is for the doctor to say.
    return versionOf(one.join('')) === versionOf(value);
  });
}

/** The version of a policy in a TXT record, such as `v=spf1`. */
function versionOf(text: string): string {
  return (/^v\s*=\s*[a-z0-9]+(?=\s|;|$)/i.exec(text)?.[0] ?? text).replaceAll(/\s/g, '').toLowerCase();
}

/** Addresses have several spellings. */
function toKey(address: string): string {
  return address.includes(':') && URL.canParse(`http://[${address}]/`)
    ? new URL(`http://[${address}]/`).hostname
    : address;
}
