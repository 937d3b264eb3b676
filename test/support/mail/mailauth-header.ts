// Parses a header as mailauth does to verify signatures; mailauth does not export this.

import { createRequire } from 'node:module';

interface MailauthField {
  /** Lower case. */
  readonly key: string;
  /** Name, colon and value, with its folds. */
  readonly line: Buffer;
}

const { parseHeaders } = createRequire(import.meta.url)('mailauth/lib/tools.js') as {
  parseHeaders: (header: Buffer) => { readonly parsed: readonly MailauthField[] };
};

/** @param header all bytes before the body */
export function parseAsMailauth(header: Buffer): MailauthField[] {
  return parseHeaders(header).parsed.filter(({ line }) => line.length > 0);
}
