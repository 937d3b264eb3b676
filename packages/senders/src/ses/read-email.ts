// Reads the bodies of Amazon SES's SendEmail and SendBulkEmail, API version 2
// (https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html). Pure.

import { randomUUID } from 'node:crypto';

import type { Mailbox } from '@mayfly/mail-reader';
import type { ReadCall, ReadItem } from '../compose.ts';
import type { HeaderField, MessageContent, SentFile } from '../composing/message.ts';
import { RefusedError } from '../refusal.ts';
import { toReadMessage } from '../reading/draft.ts';
import {
  decodeBase64,
  headerFault,
  parseAddressList,
  parseOneAddress,
  toFile,
} from '../reading/mail-parts.ts';
import { type Kind, Members, parseCall, type Path, type Wording } from '../reading/members.ts';
import { readRawMail } from '../reading/raw-message.ts';
import { type Shown, templateText, toShownFields } from '../reading/shown-fields.ts';

const recipientsMax = 50;
const entriesMax = 50;
const headersMax = 15;

const kinds: Readonly<Record<string, Kind>> = {
  FromEmailAddressIdentityArn: 'string',
  FeedbackForwardingEmailAddress: 'string',
  FeedbackForwardingEmailAddressIdentityArn: 'string',
  EmailTags: 'array',
  DefaultEmailTags: 'array',
  ReplacementTags: 'array',
  ConfigurationSetName: 'string',
  EndpointId: 'string',
  TenantName: 'string',
  ListManagementOptions: 'object',
};

/** @param missing the code for a member that is not there */
export function createWording(missing: string, toPlace: (path: Path) => Path): Wording {
  return ({ path, rule, wanted }) => {
    const place = toPlace(path).join('.') || 'body';
    const [found, constraint, code] =
      rule === 'missing'
        ? [' null', 'Member must not be null', missing]
        : ['', `it must be ${wanted}`, undefined];
    return refuse(
      `1 validation error detected: Value${found} at '${place}' failed to satisfy constraint: ${constraint}`,
      code,
    );
  };
}

function refuse(message: string, code = 'BadRequestException'): RefusedError {
  return new RefusedError({ status: 400, code, message });
}

export const readSesEmail: ReadCall = (sent) => ({ items: [readEmail(parse(sent))] });

export const readSesBulk: ReadCall = (sent) => ({ items: readBulk(parse(sent)) });

const wording = createWording('BadRequestException', (path) => path);

function parse(sent: Parameters<typeof parseCall>[0]): Members {
  return new Members(parseCall(sent), [], wording);
}

interface People {
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly bcc: readonly Mailbox[];
}

export function readEmail(call: Members): ReadItem {
  const destination = call.object('Destination');
  const people = destination && readPeople(destination);
  const content = call.object('Content');
  if (!content) throw call.wrong('Content', 'an object', 'missing');
  const raw = content.object('Raw');
  if (raw) return readRaw(call, { raw, people });
  if (!people || countOf(people) === 0) throw call.wrong('Destination', 'an object', 'missing');
  const read = content.has('Simple') ? readSimple(content) : readTemplate(content);
  return finish(call, { people, read });
}

/** Returns the rest of a call or an entry, with its tags checked. */
function readRest(members: Members): Shown {
  const rest = members.rest(kinds);
  for (const [name, tags] of rest) {
    if (!/Tags$/.test(name) || !Array.isArray(tags)) continue;
    if (!tags.every(isTag)) {
      throw members.wrong(name, 'a list of Name and Value, of at most 256 ASCII letters, digits, _ - . @');
    }
  }
  return rest;
}

function isTag(tag: unknown): boolean {
  const { Name, Value } = Object(tag) as { readonly Name?: unknown; readonly Value?: unknown };
  return [Name, Value].every((text) => typeof text === 'string' && /^[\w.@-]{1,256}$/.test(text));
}

function newMessageId(): string {
  const digits = randomUUID();
  return `0100${digits.slice(0, 4)}${digits.slice(24, 32)}-${randomUUID()}-000000`;
}

function readPeople(destination: Members): People {
  const [to = [], cc = [], bcc = []] = ['ToAddresses', 'CcAddresses', 'BccAddresses'].map((name) =>
    readAddresses(destination, name),
  );
  if (to.length + cc.length + bcc.length > recipientsMax) {
    throw refuse(`Recipient count exceeds ${recipientsMax}.`, 'MessageRejected');
  }
  return { to, cc, bcc };
}

function countOf({ to, cc, bcc }: People): number {
  return to.length + cc.length + bcc.length;
}

function readAddresses(members: Members, name: string): readonly Mailbox[] {
  return members.list(name, 1000).flatMap((one) => {
    const mailboxes = typeof one === 'string' ? parseAddressList(one, recipientsMax) : undefined;
    if (mailboxes) return mailboxes;
    throw refuse('Illegal address');
  });
}

function readFrom(call: Members): Mailbox {
  const from = parseOneAddress(call.requiredText('FromEmailAddress', { max: 2000 }));
  if (from) return from;
  throw refuse('Illegal address');
}

interface Read {
  readonly subject: string;
  readonly content: MessageContent;
  readonly fields: readonly HeaderField[];
  readonly shown: Shown;
}

function finish(call: Members, { people, read }: { readonly people: People; readonly read: Read }): ReadItem {
  const from = readFrom(call);
  const replyTo = readAddresses(call, 'ReplyToAddresses');
  return toReadMessage(
    {
      service: 'ses',
      id: newMessageId(),
      from,
      ...people,
      replyTo,
      subject: read.subject,
      fields: read.fields,
      content: read.content,
      shown: [...read.shown, ...readRest(call)],
    },
    refuse,
  );
}

function readRaw(
  call: Members,
  { raw, people }: { readonly raw: Members; readonly people: People | undefined },
): ReadItem {
  const bytes = decodeBase64(raw.requiredText('Data', { isLong: true }));
  if (!bytes) throw refuse('The raw message must be base64.');
  const read = readRawMail(bytes);
  const source = call.has('FromEmailAddress') ? readFrom(call) : undefined;
  if (!read.from) throw refuse("Missing final '@domain'", 'MessageRejected');
  const given = people && countOf(people) > 0 ? people : undefined;
  const rcptTo = given ? [...given.to, ...given.cc, ...given.bcc].map(({ email }) => email) : read.recipients;
  if (rcptTo.length === 0) throw refuse("Missing required header 'To'.", 'MessageRejected');
  if (rcptTo.length > recipientsMax) {
    throw refuse(`Recipient count exceeds ${recipientsMax}.`, 'MessageRejected');
  }
  const replyTo = readAddresses(call, 'ReplyToAddresses').map(({ email }) => email);
  const id = newMessageId();
  const shown: Shown = [
    ['message_id', id],
    ...(replyTo.length > 0 ? [['ReplyToAddresses', replyTo] as const] : []),
    ...readRest(call),
  ];
  const messageId = read.messageId ?? `${id}@email.amazonses.com`;
  const own: readonly HeaderField[] = read.messageId === undefined ? [['Message-ID', `<${messageId}>`]] : [];
  return {
    id,
    messageId,
    rcptTo,
    raw: read.raw,
    mailFrom: (source ?? read.from).email,
    fields: [...toShownFields('ses', shown), ...own],
  };
}

function readSimple(content: Members): Read {
  const simple = content.object('Simple');
  const body = simple?.object('Body');
  if (!simple || !body) throw content.wrong('Simple', 'an object', 'missing');
  const charsets: string[] = [];
  const subject = readData(simple.object('Subject'), charsets, {});
  const [text, html] = ['Text', 'Html'].map((name) =>
    readData(body.object(name), charsets, { isLong: true }),
  );
  if (subject === undefined) throw simple.wrong('Subject', 'an object', 'missing');
  if (text === undefined && html === undefined) throw simple.wrong('Body', 'an object', 'missing');
  const { files, shown } = readFiles(simple);
  return {
    subject,
    fields: simple.objects('Headers', headersMax, readHeader),
    content: { text, html, alternatives: [], files },
    shown: [...(charsets.length > 0 ? [['charsets', charsets] as const] : []), ...shown, ...simple.rest()],
  };
}

function readData(
  part: Members | undefined,
  charsets: string[],
  rule: { isLong?: true },
): string | undefined {
  const charset = part?.text('Charset');
  if (charset !== undefined && !/^(?:utf-?8|us-ascii|ascii)$/i.test(charset)) charsets.push(charset);
  return part?.text('Data', rule);
}

function readTemplate(content: Members): Read {
  const template = content.object('Template');
  if (!template) throw content.wrong(undefined, 'Simple, Raw or Template');
  const name = template.text('TemplateName') ?? template.text('TemplateArn', { max: 2048 });
  const given = template.object('TemplateContent');
  if (name === undefined && !given) throw refuse('Template does not exist', 'NotFoundException');
  const data = readTemplateData(template, 'TemplateData');
  const { files, shown } = readFiles(template);
  const inline = given && {
    subject: given.text('Subject') ?? '',
    text: given.text('Text', { isLong: true }),
    html: given.text('Html', { isLong: true }),
  };
  const text = inline ? inline.text : templateText(String(name), data);
  return {
    subject: inline?.subject ?? '',
    fields: template.objects('Headers', headersMax, readHeader),
    content: { text, html: inline?.html, alternatives: [], files },
    shown: [
      ...(name === undefined ? [] : [['TemplateName', name] as const]),
      ...(inline && data !== undefined ? [['TemplateData', data] as const] : []),
      ...shown,
      ...template.rest(),
    ],
  };
}

function readTemplateData(template: Members, name: string): unknown {
  const text = template.text(name, { isLong: true });
  if (text === undefined || text === '') return undefined;
  if (text.length > 262_144) throw template.wrong(name, 'at most 262144 characters long');
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw refuse(`${name} is not valid JSON`);
  }
}

function readHeader(header: Members): HeaderField {
  const [name, value] = [header.requiredText('Name'), header.text('Value', { isLong: true }) ?? ''];
  if (headerFault(name, value) === undefined) return [name, value];
  throw refuse(`Header name or value is not allowed: ${name.slice(0, 100).replace(/[^\x20-\x7e]/g, '?')}`);
}

function readFiles(members: Members): { readonly files: readonly SentFile[]; readonly shown: Shown } {
  const encodings: string[] = [];
  const files = members.objects('Attachments', 1000, (file) => {
    const content = decodeBase64(file.text('RawContent', { isLong: true }) ?? '');
    if (!content) throw file.wrong('RawContent', 'base64');
    const encoding = file.text('ContentTransferEncoding');
    if (encoding !== undefined) encodings.push(encoding);
    const read = toFile({
      content,
      filename: file.requiredText('FileName'),
      contentType: file.text('ContentType'),
      contentId: file.text('ContentId'),
      disposition: file.text('ContentDisposition')?.toLowerCase() ?? 'attachment',
    });
    if (!read) throw refuse('Attachment has an invalid name, type or content id');
    return { ...read, description: file.text('ContentDescription') ?? '' };
  });
  return { files, shown: encodings.length > 0 ? [['ContentTransferEncodings', encodings]] : [] };
}

/** Each entry is a mail with a result of its own. */
export function readBulk(call: Members): readonly ReadItem[] {
  const from = readFrom(call);
  const replyTo = readAddresses(call, 'ReplyToAddresses');
  const content = call.object('DefaultContent');
  if (!content) throw call.wrong('DefaultContent', 'an object', 'missing');
  const template = readTemplateSource(content);
  const entries = call.list('BulkEmailEntries', entriesMax);
  if (entries.length === 0) throw call.wrong('BulkEmailEntries', 'an array', 'missing');
  const rest = readRest(call);
  return entries.map((value, at) => {
    try {
      const entry = call.beside(value, ['BulkEmailEntries', at]);
      return readEntry(entry, { from, replyTo, template, rest });
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      return error.refusal;
    }
  });
}

/** Reads the template anew for each entry, which may have other data. */
function readTemplateSource(content: Members): (data: unknown) => Read {
  const members = content.object('Template');
  const template = members && Object.fromEntries(members.rest());
  if (!template) throw content.wrong('Template', 'an object', 'missing');
  const read = (data: unknown): Read => {
    const replaced = data === undefined ? template : { ...template, TemplateData: data };
    return readTemplate(content.beside({ Template: replaced }, ['DefaultContent']));
  };
  read(undefined);
  return read;
}

interface Bulk {
  readonly from: Mailbox;
  readonly replyTo: readonly Mailbox[];
  readonly template: (data: unknown) => Read;
  readonly rest: Shown;
}

function readEntry(entry: Members, { from, replyTo, template, rest }: Bulk): ReadItem {
  const destination = entry.object('Destination');
  if (!destination) throw entry.wrong('Destination', 'an object', 'missing');
  const people = readPeople(destination);
  if (countOf(people) === 0) throw entry.wrong('Destination', 'an object with an address', 'missing');
  const replacement = entry.object('ReplacementEmailContent')?.object('ReplacementTemplate');
  const read = template(replacement?.text('ReplacementTemplateData', { isLong: true }));
  const own = entry.objects('ReplacementHeaders', headersMax, readHeader);
  const replaced = new Set(own.map(([name]) => name.toLowerCase()));
  return toReadMessage(
    {
      service: 'ses',
      id: newMessageId(),
      from,
      ...people,
      replyTo,
      subject: read.subject,
      fields: [...read.fields.filter(([name]) => !replaced.has(name.toLowerCase())), ...own],
      shown: [...read.shown, ...rest, ...readRest(entry)],
      content: read.content,
    },
    refuse,
  );
}
