// Reads the body of Brevo's POST /v3/smtp/email (https://developers.brevo.com/reference/sendtransacemail): one mail, or
// one for each of messageVersions. Pure.

import { randomUUID } from 'node:crypto';

import type { Mailbox } from '@mayfly/mail-reader';
import type { ReadCall, ReadMessage } from '../compose.ts';
import type { HeaderField, SentFile } from '../composing/message.ts';
import { RefusedError } from '../refusal.ts';
import { domainOf, toReadMessage } from '../reading/draft.ts';
import { decodeBase64, headerFault, toFile, toMailbox } from '../reading/mail-parts.ts';
import { type Kind, Members, parseCall, type Path, type Wording } from '../reading/members.ts';
import { type Shown, templateText } from '../reading/shown-fields.ts';
import { toOnceKey } from '../reading/once-key.ts';

const versionsMax = 1000;
const recipientsMax = 99;
const allRecipientsMax = 2000;

const kinds: Readonly<Record<string, Kind>> = {
  tags: 'strings',
  scheduledAt: 'string',
  batchId: 'string',
  params: 'object',
  contactPixelTrackingConsent: 'boolean',
};

/** Files that Brevo accepts. */
const accepted =
  /\.(?:xlsx?|xlsm|ods|doc[xm]?|csv|pdf|txt|gif|jpe?g|png|tiff?|rtf|bmp|cgm|css|s?html?|zip|xml|pptx?|tar|ez|ics|mobi|msg|pub|eps|odt|mp3|m4a|m4v|wma|ogg|flac|wav|aif[cf]?|mp4|mov|avi|mkv|mpe?g|wmv|pkpass)$/i;

const wording: Wording = ({ path, rule, wanted }) => {
  const place = pathText(path) || 'body';
  if (rule === 'missing') return refuse('missing_parameter', `${place} is missing`);
  return refuse('invalid_parameter', `${place} is not valid: it must be ${wanted}`);
};

function pathText(path: Path): string {
  return path
    .map((one, at) => (typeof one === 'number' ? `[${one}]` : `${at === 0 ? '' : '.'}${one}`))
    .join('');
}

function refuse(code: string, message: string): RefusedError {
  return new RefusedError({ status: 400, code, message });
}

interface Version {
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly bcc: readonly Mailbox[];
  readonly replyTo: readonly Mailbox[];
  readonly subject: string | undefined;
  readonly html: string | undefined;
  readonly text: string | undefined;
  readonly params: unknown;
  readonly rest: Shown;
}

export const readBrevoEmail: ReadCall = (sent) => {
  const call = new Members(parseCall(sent), [], wording);
  const template = call.take('templateId');
  if (template !== undefined && !Number.isSafeInteger(template)) {
    throw call.wrong('templateId', 'an integer', 'type');
  }
  const from = readSender(call, template !== undefined);
  const hasVersions = call.has('messageVersions');
  const versions = call.objects('messageVersions', versionsMax, (one) => readVersion(one));
  const fields = readHeaders(call);
  const files = call.objects('attachment', 1000, readFile);
  const common = readVersion(call, !hasVersions);
  const base = { from, template: template as number | undefined, fields, files, common };
  if (hasVersions && versions.length === 0) throw call.wrong('messageVersions', 'a list that is not empty');
  const all = hasVersions
    ? versions.map((version) => ({ ...version, ...addressesOf(version, common) }))
    : [common];
  const count = all.reduce((sum, { to, cc, bcc }) => sum + to.length + cc.length + bcc.length, 0);
  if (count > allRecipientsMax) {
    throw refuse('invalid_parameter', `There may be at most ${allRecipientsMax} recipients`);
  }
  const restOf = new Map(common.rest);
  const scheduledAt = restOf.get('scheduledAt');
  if (scheduledAt !== undefined && !isInstant(scheduledAt as string)) {
    throw call.wrong('scheduledAt', 'a date and time such as 2026-12-01T10:00:00Z');
  }
  const notes = {
    kind: hasVersions ? 'versions' : 'single',
    status: restOf.has('scheduledAt') ? '202' : '201',
    batchId: (restOf.get('batchId') ?? '') as string,
  };
  const [, key] = fields.find(([name]) => /^idempotency-?key$/i.test(name)) ?? [];
  const items = all.map((version) => toMessage(version, base));
  return { items, notes, once: toOnceKey(key, sent.body) };
};

function isInstant(text: string): boolean {
  return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text));
}

function readSender(call: Members, hasTemplate: boolean): Mailbox {
  const sender = call.object('sender');
  if (!sender) {
    // The template would have one.
    if (hasTemplate) return { name: '', email: 'template@brevo.invalid' };
    throw refuse('missing_parameter', 'sender is missing');
  }
  if (sender.has('id') && !sender.has('email')) {
    throw refuse('invalid_parameter', 'sender.id names no address here; give sender.email');
  }
  return readAddress(sender);
}

function readAddress(members: Members): Mailbox {
  const mailbox = toMailbox(members.requiredText('email'), members.text('name') ?? '');
  if (mailbox) return mailbox;
  throw refuse('invalid_parameter', `email is not valid in ${pathText(members.path)}`);
}

/** @param needsTo whether the version is one that is sent */
function readVersion(version: Members, needsTo = true): Version {
  const [to = [], cc = [], bcc = []] = ['to', 'cc', 'bcc'].map((name) =>
    version.objects(name, recipientsMax, readAddress),
  );
  if (to.length === 0 && needsTo) throw version.wrong('to', 'a list', 'missing');
  const replyTo = version.object('replyTo');
  const params = version.take('params');
  if (params !== undefined && (typeof params !== 'object' || Array.isArray(params))) {
    throw version.wrong('params', 'an object', 'type');
  }
  return {
    to,
    cc,
    bcc,
    params,
    replyTo: replyTo ? [readAddress(replyTo)] : [],
    subject: version.text('subject'),
    html: version.text('htmlContent', { isLong: true }),
    text: version.text('textContent', { isLong: true }),
    // With versions, the call's own recipients are not used.
    rest: [...version.rest(kinds), ...(needsTo || to.length === 0 ? [] : [['to', to] as const])],
  };
}

function readHeaders(call: Members): readonly HeaderField[] {
  const fields = call.texts('headers');
  for (const [name, value] of fields) {
    if (headerFault(name, value) !== undefined) {
      throw refuse(
        'invalid_parameter',
        `headers.${name.slice(0, 100).replace(/[^\x20-\x7e]/g, '?')} is not valid`,
      );
    }
  }
  return fields;
}

function readFile(file: Members): SentFile {
  if (file.has('url')) {
    throw refuse('invalid_parameter', 'attachment.url is not fetched here; give attachment.content');
  }
  const filename = file.requiredText('name');
  const content = decodeBase64(file.requiredText('content', { isLong: true }));
  if (!content) throw refuse('invalid_parameter', `The content of ${filename} is not base64`);
  if (!accepted.test(filename)) throw refuse('invalid_parameter', `Unsupported file format of ${filename}`);
  const read = toFile({ content, filename, contentType: undefined, contentId: undefined });
  if (!read) throw refuse('invalid_parameter', `attachment.name is not valid: ${filename}`);
  return read;
}

/** Those of the version, and for each list it does not have, the call's. */
function addressesOf(version: Version, common: Version): Pick<Version, 'cc' | 'bcc' | 'replyTo'> {
  const listOf = (name: 'cc' | 'bcc' | 'replyTo'): readonly Mailbox[] =>
    version[name].length > 0 ? version[name] : common[name];
  return { cc: listOf('cc'), bcc: listOf('bcc'), replyTo: listOf('replyTo') };
}

interface Base {
  readonly from: Mailbox;
  readonly template: number | undefined;
  readonly fields: readonly HeaderField[];
  readonly files: readonly SentFile[];
  readonly common: Version;
}

function toMessage(version: Version, { from, template, fields, files, common }: Base): ReadMessage {
  const subject = version.subject ?? common.subject;
  const params = version.params ?? common.params;
  const [html, text] = [version.html ?? common.html, version.text ?? common.text];
  if (template === undefined && !subject) throw refuse('missing_parameter', 'subject is missing');
  if (template === undefined && !html && !text) {
    throw refuse('missing_parameter', 'Either of htmlContent or textContent or templateId is missing');
  }
  const isOwn = version === common;
  const rest = isOwn ? common.rest : [...common.rest, ...version.rest];
  const given: Shown = template === undefined && params !== undefined ? [['params', params]] : [];
  // A template's text replaces the call's.
  const unused: Shown =
    template === undefined
      ? []
      : [['templateId', template], ...(html ? [['htmlContent', html] as const] : [])];
  return toReadMessage(
    {
      service: 'brevo',
      id: `${randomUUID()}@${domainOf(from)}`,
      from,
      subject: subject ?? '',
      fields,
      to: version.to,
      cc: version.cc,
      bcc: version.bcc,
      replyTo: version.replyTo,
      shown: [...given, ...unused, ...rest],
      content: {
        text: template === undefined ? text : templateText(String(template), params),
        html: template === undefined ? html : undefined,
        alternatives: [],
        files,
      },
    },
    (reason) => refuse('invalid_parameter', reason),
  );
}
