// Reads what a provider found out about the sending host, from the Authentication-Results field (RFC 8601) that it
// wrote. Believed only if the operator named the provider's authserv-id: the sender of a message can write such fields too.

const results = ['pass', 'fail', 'softfail', 'neutral', 'none', 'policy', 'temperror', 'permerror'] as const;

export interface SpfResult {
  readonly result: (typeof results)[number];
  /** The domain it is about, in lower case; null when the provider names none. */
  readonly domain: string | null;
}

/** Fields and their values that are looked at; a header may have more. */
const fieldsMax = 500;
const infosMax = 100;

/**
 * Returns the result of SPF from the topmost field of this authserv-id, above which there is at most one Received;
 * undefined when there is none.
 * @param head the first bytes of the message, with its header
 */
export function readSpf(head: Buffer, authservId: string): SpfResult | undefined {
  let received = 0;
  for (const [name, value] of readFields(head)) {
    if (name === 'received') received += 1;
    // Below it stands what came with the message.
    if (received > 1) return undefined;
    if (name !== 'authentication-results') continue;
    const [id = '', ...infos] = splitInfos(withoutComments(value));
    const [server = ''] = id.trim().split(/\s+/);
    if (server.toLowerCase() === authservId.toLowerCase()) return chooseSpf(infos);
  }
  return undefined;
}

function* readFields(head: Buffer): Generator<readonly [name: string, value: string]> {
  const end = /\r?\n\r?\n/.exec(head.toString('latin1'))?.index ?? head.length;
  const lines = head.toString('latin1', 0, end).split(/\r?\n(?![ \t])/, fieldsMax);
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon > 0) yield [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1)];
  }
}

/** One pass: comments may be nested, and quoted text may contain brackets. */
function withoutComments(text: string): string {
  let plain = '';
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '\\') {
      if (depth === 0) plain += character + (text[at + 1] ?? '');
      at += 1;
      continue;
    }
    if (character === '"' && depth === 0) isQuoted = !isQuoted;
    if (!isQuoted && character === '(') depth += 1;
    else if (!isQuoted && character === ')' && depth > 0) {
      depth -= 1;
      plain += ' ';
    } else if (depth === 0) plain += character;
  }
  return plain;
}

/** Splits at semicolons outside quoted text, and at quotes that are not closed. */
function splitInfos(text: string): string[] {
  const infos: string[] = [];
  let from = 0;
  const split = (at: number): void => {
    if (at > from) infos.push(text.slice(from, at));
    from = at + 1;
  };
  let isUnclosed = false;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === ';') split(at);
    if (text[at] !== '"') continue;
    // No quote is closed after one that is not, so that none is looked for twice.
    const end: number = isUnclosed ? -1 : endOfQuoted(text, at);
    isUnclosed = end < 0;
    if (isUnclosed) split(at);
    else at = end;
  }
  split(text.length);
  return infos.slice(0, infosMax);
}

/** Returns the index of the closing quote, or -1. */
function endOfQuoted(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return -1;
}

/** Prefers the one about the reverse-path: there may be another about the HELO name. */
function chooseSpf(infos: readonly string[]): SpfResult {
  const found = infos.map(withoutReason).filter((info) => /^\s*spf\s*=/i.test(info));
  const info = found.find((one) => /\bsmtp\.mailfrom\s*=/i.test(one)) ?? found[0] ?? '';
  const word = /^\s*spf\s*=\s*([a-z]+)/i.exec(info)?.[1]?.toLowerCase();
  const result = results.find((one) => one === word) ?? 'none';
  const mailFrom = /\bsmtp\.(?:mailfrom|helo)\s*=\s*((?:"[^"]*"|[^\s;"])+)/i.exec(info)?.[1];
  const domain = mailFrom?.slice(mailFrom.lastIndexOf('@') + 1).toLowerCase();
  return { result, domain: domain === undefined || domain === '' ? null : domain };
}

/** A reason is free text, which may look like a result. */
function withoutReason(info: string): string {
  return info.replace(/\breason\s*=\s*"(?:[^"\\]|\\.)*"/gi, '');
}
