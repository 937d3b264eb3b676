// Shows what a call says besides the mail itself: tags, metadata, settings, templates. Each becomes a header field named
// for the service and the member, `X-Sendgrid-Send-At`, with its text or JSON.

import { stringifyWellFormed } from '../../../http-parts/src/answer.ts';
import type { HeaderField } from '../composing/message.ts';
import { isOneLine } from './members.ts';

export type Shown = readonly (readonly [name: string, value: unknown])[];

/** @param service as in the path, in lower case */
export function toShownFields(service: string, shown: Shown): readonly HeaderField[] {
  return shown.map(([name, value]) => [`X-${toWords(`${service}-${name}`)}`, toText(value)] as const);
}

/** Returns `scheduledAt`, `scheduled_at` and `o:scheduled-at` with a dash between the words, each with a capital. */
function toWords(name: string): string {
  return name
    .replace(/([a-z0-9])(?=[A-Z])/g, '$1-')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join('-')
    .slice(0, 90);
}

function toText(value: unknown): string {
  return typeof value === 'string' && isOneLine(value) ? value : stringifyWellFormed(value);
}

/** The text of a mail from a template, which is not rendered here. */
export function templateText(template: string, data: unknown): string {
  const shown =
    data === undefined ? '' : `\r\n${JSON.stringify(data, undefined, 2).replaceAll('\n', '\r\n')}\r\n`;
  return `Template ${template}, not rendered.\r\n${shown}`;
}
