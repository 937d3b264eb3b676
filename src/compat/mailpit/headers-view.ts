// The header of a message in Mailpit's format: names as Go writes them, values undecoded.

import type { MessageHead } from '../../service/message-heads.ts';

/** `Delivered-To` names the recipient (RFC 9228) when the sender's header does not. */
export function toHeadersView({ fields, listed }: MessageHead): Record<string, string[]> {
  const byName = new Map<string, string[]>();
  const add = (name: string, value: string): void => {
    const values = byName.get(name);
    if (values) values.push(value);
    else byName.set(name, [value]);
  };
  for (const { name, value } of fields) add(toGoName(name), Buffer.from(value, 'latin1').toString());
  if (!byName.has('Delivered-To')) for (const recipient of listed.recipients) add('Delivered-To', recipient);
  if (!byName.has('Return-Path')) add('Return-Path', `<${listed.mailFrom ?? ''}>`);
  return Object.fromEntries([...byName].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** textproto.CanonicalMIMEHeaderKey: `message-ID` becomes `Message-Id`; an invalid name is unchanged. */
function toGoName(name: string): string {
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return name;
  return name.toLowerCase().replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
