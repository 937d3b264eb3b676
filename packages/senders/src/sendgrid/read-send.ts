// Reads the body of SendGrid's POST /v3/mail/send (https://www.twilio.com/docs/sendgrid/api-reference/mail-send): one
// message for each personalization. Pure.

import { randomUUID } from 'node:crypto';

import type { Mailbox } from '@mayfly/mail-reader';
import type { ReadCall, ReadMessage } from '../compose.ts';
import type { HeaderField, MessageContent, SentFile } from '../composing/message.ts';
import { RefusedError } from '../refusal.ts';
import { toReadMessage } from '../reading/draft.ts';
import { decodeBase64, headerFault, toFile, toMailbox } from '../reading/mail-parts.ts';
import { type Kind, Members, parseCall, type Path, type Wording } from '../reading/members.ts';
import { type Shown, templateText } from '../reading/shown-fields.ts';

const recipientsMax = 1000;
const personalizationsMax = 1000;

const kinds: Readonly<Record<string, Kind>> = {
  template_id: 'string',
  sections: 'object',
  categories: 'strings',
  custom_args: 'object',
  send_at: 'integer',
  batch_id: 'string',
  asm: 'object',
  ip_pool_name: 'string',
  mail_settings: 'object',
  tracking_settings: 'object',
};
const personalKinds: Readonly<Record<string, Kind>> = {
  substitutions: 'object',
  dynamic_template_data: 'object',
  custom_args: 'object',
  send_at: 'integer',
};

const wording: Wording = ({ path, rule, wanted }) => {
  const place = path.join('.') || 'body';
  const missing = `The ${place} parameter is required.`;
  const type = `Invalid type. Expected: ${wanted.replace(/^an? /, '')}.`;
  const message = { missing, type, value: `The ${place} parameter must be ${wanted}.` }[rule];
  return refuse(message, path);
};

function refuse(message: string, path: Path): RefusedError {
  return new RefusedError({ status: 400, code: '', message, field: path.join('.') });
}

export const readSendgridSend: ReadCall = (sent) => {
  const call = new Members(parseCall(sent), [], wording);
  const people = call.objects('personalizations', personalizationsMax, readPersonalization);
  if (people.length === 0) {
    throw refuse('The personalizations field is required and must have at least one personalization.', [
      'personalizations',
    ]);
  }
  if (people.reduce((sum, { count }) => sum + count, 0) > recipientsMax) {
    throw refuse(`There can be at most ${recipientsMax} recipients in a request.`, ['personalizations']);
  }
  const from = readAddress(call.object('from'));
  const common = {
    from,
    replyTo: readReplyTo(call),
    subject: call.text('subject'),
    fields: readHeaders(call),
    content: readContent(call),
  };
  const rest = call.rest(kinds);
  const categories = rest.find(([name]) => name === 'categories')?.[1] as readonly string[] | undefined;
  if (categories && (categories.length > 10 || categories.some(({ length }) => length > 255))) {
    throw call.wrong('categories', 'at most 10 items of at most 255 characters');
  }
  requireModest(call, rest);
  requireGroups(rest);
  const template = rest.find(([name]) => name === 'template_id')?.[1] as string | undefined;
  const id = `${randomUUID().replaceAll('-', '').slice(0, 22)}`;
  const hasSandbox = hasSandboxMode(rest);
  const items = people.map((person, at) =>
    toMessage(person, { ...common, rest, template, id: people.length === 1 ? id : `${id}.${at}` }),
  );
  return { items, notes: { id, status: hasSandbox ? '200' : '202' } };
};

/** Bytes that SendGrid takes of each. */
const dataMaxBytes = 10_000;

function requireModest(members: Members, rest: Shown): void {
  for (const [name, value] of rest) {
    if (name !== 'custom_args' && name !== 'substitutions') continue;
    const values = Object.entries(value as object);
    if (!values.every(([, one]) => typeof one === 'string')) {
      throw members.wrong(name, 'an object of strings', 'type');
    }
    const bytes = values.reduce((sum, [key, one]) => sum + Buffer.byteLength(key + String(one)), 0);
    if (bytes > dataMaxBytes) throw members.wrong(name, `at most ${dataMaxBytes} bytes long`);
  }
}

function requireGroups(rest: Shown): void {
  const asm = rest.find(([name]) => name === 'asm')?.[1];
  if (asm === undefined) return;
  const { group_id: group, groups_to_display: shown = [] } = asm as Readonly<Record<string, unknown>>;
  if (!Number.isSafeInteger(group)) throw refuse('The asm.group_id must be an integer.', ['asm', 'group_id']);
  const areGroups = Array.isArray(shown) && shown.length <= 25 && shown.every(Number.isSafeInteger);
  if (areGroups) return;
  throw refuse('The asm.groups_to_display must be an array of at most 25 integers.', [
    'asm',
    'groups_to_display',
  ]);
}

/** In sandbox mode SendGrid only validates; here the mail is kept, as it is never sent in any case. */
function hasSandboxMode(rest: Shown): boolean {
  const settings = rest.find(([name]) => name === 'mail_settings')?.[1];
  const { sandbox_mode: mode } = (settings ?? {}) as { sandbox_mode?: { enable?: unknown } | null };
  return mode?.enable === true;
}

interface Personalization {
  readonly from: Mailbox | undefined;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly bcc: readonly Mailbox[];
  readonly subject: string | undefined;
  readonly fields: readonly HeaderField[];
  readonly rest: Shown;
  readonly count: number;
  readonly path: Path;
}

function readPersonalization(person: Members): Personalization {
  const [to, cc, bcc] = ['to', 'cc', 'bcc'].map((name) => person.objects(name, recipientsMax, readAddress));
  if (!to || to.length === 0) {
    throw refuse(
      'The to array is required for all personalization objects, and must have at least one email object with a valid email address.',
      [...person.path, 'to'],
    );
  }
  const read = { to, cc: cc ?? [], bcc: bcc ?? [] };
  requireUnique(read, person.path);
  const fromMembers = person.object('from');
  const from = fromMembers && readAddress(fromMembers);
  const [subject, fields] = [person.text('subject'), readHeaders(person)];
  const rest = person.rest(personalKinds);
  requireModest(person, rest);
  return {
    ...read,
    from,
    subject,
    fields,
    rest,
    count: read.to.length + read.cc.length + read.bcc.length,
    path: person.path,
  };
}

function requireUnique({ to, cc, bcc }: Pick<Personalization, 'to' | 'cc' | 'bcc'>, path: Path): void {
  const seen = new Set<string>();
  for (const [name, list] of Object.entries({ to, cc, bcc })) {
    for (const { email } of list) {
      if (seen.has(email.toLowerCase())) {
        const where = [...path, name];
        throw refuse(
          'Each email address in the personalization block should be unique between to, cc, and bcc. We found the ' +
            `first duplicate instance of [${email}] in the ${where.join('.')} field.`,
          path,
        );
      }
      seen.add(email.toLowerCase());
    }
  }
}

function readAddress(members: Members | undefined): Mailbox {
  if (!members) {
    throw refuse(
      'The from object must be provided for every email send. It is an object that requires the email parameter, but may also contain a name parameter.  e.g. {"email" : "example@example.com"}  or {"email" : "example@example.com", "name" : "Example Recipient"}.',
      ['from', 'email'],
    );
  }
  const name = members.text('name') ?? '';
  const mailbox = toMailbox(members.requiredText('email'), name);
  if (mailbox) return mailbox;
  throw refuse('Does not contain a valid address.', [...members.path, 'email']);
}

function readReplyTo(call: Members): readonly Mailbox[] {
  const one = call.object('reply_to');
  const list = call.objects('reply_to_list', recipientsMax, readAddress);
  if (one && list.length > 0) throw refuse('Use reply_to or reply_to_list, not both.', ['reply_to']);
  return one ? [readAddress(one)] : list;
}

function readHeaders(members: Members): readonly HeaderField[] {
  const fields = members.texts('headers');
  for (const [name, value] of fields) {
    const fault = /^(?:reply-to|x-sg-e?id)$/i.test(name) ? 'reserved' : headerFault(name, value);
    if (fault === undefined) continue;
    const reason = {
      reserved: `The header ${name} is reserved and may not be used.`,
      name: 'Header names may only have printable ASCII characters without a colon.',
      value: 'Header values must be one line without control characters.',
    }[fault];
    throw refuse(reason, [...members.path, 'headers', name.slice(0, 100)]);
  }
  return fields;
}

function readContent(call: Members): MessageContent | undefined {
  const hasTemplate = call.has('template_id');
  const parts = call.objects('content', 50, readPart);
  const files = call.objects('attachments', 1000, readFile);
  if (parts.length === 0 && !hasTemplate) {
    throw refuse(
      'Unless a valid template_id is provided, the content parameter is required. There must be at least one defined content block. We typically suggest both text/plain and text/html blocks are included, but only one block is required.',
      ['content'],
    );
  }
  if (new Set(parts.map(({ type }) => type)).size < parts.length) {
    throw refuse('Each content type may be given once.', ['content']);
  }
  const valueOf = (wanted: string): string | undefined => parts.find(({ type }) => type === wanted)?.value;
  return {
    text: valueOf('text/plain'),
    html: valueOf('text/html'),
    alternatives: parts
      .filter(({ type }) => type !== 'text/plain' && type !== 'text/html')
      .map(({ type, value }) => ({ contentType: type, text: value })),
    files,
  };
}

function readPart(part: Members): { type: string; value: string } {
  const type = part.requiredText('type').toLowerCase();
  if (!/^[a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,100}$/.test(type)) {
    throw refuse('The content type must be a media type without parameters.', [...part.path, 'type']);
  }
  return { type, value: part.requiredText('value', { isLong: true }) };
}

function readFile(file: Members): SentFile {
  const content = decodeBase64(file.requiredText('content', { isLong: true }));
  if (!content) {
    throw refuse('The attachment content must be base64 encoded.', [...file.path, 'content']);
  }
  const disposition = file.text('disposition');
  if (disposition !== undefined && !/^(?:attachment|inline)$/.test(disposition)) {
    throw refuse('The disposition must be inline or attachment.', [...file.path, 'disposition']);
  }
  const read = toFile({
    content,
    filename: file.requiredText('filename'),
    contentType: file.text('type'),
    contentId: file.text('content_id'),
    disposition: disposition ?? 'attachment',
  });
  if (!read) throw refuse('The attachment type or content_id is not valid.', file.path);
  return read;
}

interface Common {
  readonly from: Mailbox;
  readonly replyTo: readonly Mailbox[];
  readonly subject: string | undefined;
  readonly fields: readonly HeaderField[];
  readonly content: MessageContent | undefined;
  readonly rest: Shown;
  readonly template: string | undefined;
  readonly id: string;
}

function toMessage(person: Personalization, common: Common): ReadMessage {
  const { template, content } = common;
  const subject = person.subject ?? common.subject;
  if (!subject && template === undefined) {
    throw refuse(
      'The subject is required. You can get around this requirement if you use a template with a subject defined or if every personalization has a subject defined.',
      ['subject'],
    );
  }
  const personal = new Map(person.rest);
  const data = personal.get('dynamic_template_data');
  const isTemplateOnly = template !== undefined && content?.text === undefined && content?.html === undefined;
  if (isTemplateOnly) personal.delete('dynamic_template_data');
  const own = new Set(person.fields.map(([name]) => name.toLowerCase()));
  return toReadMessage(
    {
      service: 'sendgrid',
      id: common.id,
      from: person.from ?? common.from,
      to: person.to,
      cc: person.cc,
      bcc: person.bcc,
      replyTo: common.replyTo,
      subject: subject ?? '',
      fields: [...common.fields.filter(([name]) => !own.has(name.toLowerCase())), ...person.fields],
      shown: [...common.rest.filter(([name]) => !personal.has(name)), ...personal],
      content: isTemplateOnly
        ? {
            text: templateText(template, data),
            html: undefined,
            alternatives: content?.alternatives ?? [],
            files: content?.files ?? [],
          }
        : (content ?? { text: '', html: undefined, alternatives: [], files: [] }),
    },
    (reason) => refuse(reason, person.path),
  );
}
