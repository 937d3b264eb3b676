// Reads the bodies of Postmark's email API (https://postmarkapp.com/developer/api/email-api and …/templates-api). Pure.

import { randomUUID } from 'node:crypto';

import type { Mailbox } from '@mayfly/mail-reader';
import { MalformedBodyError } from '../../../http-parts/src/body.ts';
import type { ReadCall, ReadItem, ReadMessage } from '../compose.ts';
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
import { type Kind, Members, parseCall, type Wording } from '../reading/members.ts';
import { type Shown, templateText } from '../reading/shown-fields.ts';

const recipientsMax = 50;
const batchMax = 500;
const bodyMaxBytes = 5 * 1024 * 1024;
const messageMaxBytes = 10 * 1024 * 1024;

/** Postmark's numbers of errors. */
const invalidRequest = 300;
const tooMany = 410;
const wrongTemplate = 1101;
const incompatibleJson = 403;

const kinds: Readonly<Record<string, Kind>> = {
  TrackOpens: 'boolean',
  TrackLinks: 'string',
  MessageStream: 'string',
  InlineCss: 'boolean',
};

/** Files that Postmark never sends. */
const forbidden =
  /\.(?:vbs|exe|bin|bat|chm|com|cpl|crt|hlp|hta|inf|ins|isp|jse?|lnk|mdb|pcd|pif|reg|scr|sct|shs|vba|vbe|vbs|wsf|wsh|wsl|msc|msi|msp|mst)$/i;

const wording: Wording = ({ path, rule, wanted }) => {
  const place = path.join('.') || 'body';
  if (rule === 'type') return refuse(incompatibleJson, `Incompatible JSON: '${place}' must be ${wanted}.`);
  if (rule === 'missing') return refuse(invalidRequest, `The '${place}' field is required.`);
  return refuse(invalidRequest, `Error parsing '${place}': it must be ${wanted}.`);
};

function refuse(code: number, message: string): RefusedError {
  return new RefusedError({ status: 422, code, message });
}

export const readPostmarkEmail: ReadCall = (sent) => ({ items: [readEmail(parse(sent))] });

export const readPostmarkBatch: ReadCall = (sent) => {
  const emails = parse(sent);
  if (!Array.isArray(emails)) throw refuse(incompatibleJson, 'Incompatible JSON: the body must be an array.');
  return { items: readEach(emails, readEmail) };
};

export const readPostmarkTemplateEmail: ReadCall = (sent) => ({
  items: [readTemplateEmail(parse(sent))],
});

export const readPostmarkTemplateBatch: ReadCall = (sent) => {
  const emails = new Members(parse(sent), [], wording).take('Messages');
  if (!Array.isArray(emails)) {
    throw refuse(incompatibleJson, "Incompatible JSON: 'Messages' must be an array.");
  }
  return { items: readEach(emails, readTemplateEmail) };
};

function parse(sent: Parameters<typeof parseCall>[0]): unknown {
  try {
    return parseCall(sent);
  } catch (error) {
    if (!(error instanceof MalformedBodyError)) throw error;
    throw refuse(402, 'Invalid JSON');
  }
}

/** Each message of a batch has a result of its own. */
function readEach(emails: readonly unknown[], read: (email: unknown) => ReadMessage): readonly ReadItem[] {
  if (emails.length > batchMax) {
    throw refuse(tooMany, `Too many batch messages: there may be at most ${batchMax}.`);
  }
  return emails.map((email) => {
    try {
      return read(email);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      return error.refusal;
    }
  });
}

function readEmail(value: unknown): ReadMessage {
  const email = new Members(value, [], wording);
  const [html, text] = [readBody(email, 'HtmlBody'), readBody(email, 'TextBody')];
  if (!html && !text) throw refuse(invalidRequest, 'Provide either email TextBody or HtmlBody or both.');
  return finish(email, { html, text, shown: [], subject: email.text('Subject', { max: 2000 }) ?? '' });
}

function readBody(email: Members, name: string): string | undefined {
  const body = email.text(name, { isLong: true });
  if (body !== undefined && Buffer.byteLength(body) > bodyMaxBytes) {
    throw refuse(invalidRequest, `The ${name} may have at most 5 MB.`);
  }
  return body;
}

function readTemplateEmail(value: unknown): ReadMessage {
  const email = new Members(value, [], wording);
  const [id, alias] = [email.take('TemplateId'), email.text('TemplateAlias')];
  if (id !== undefined && !Number.isSafeInteger(id)) {
    throw email.wrong('TemplateId', 'an integer', 'type');
  }
  const given = id === undefined ? alias : Number(id);
  if (given === undefined) throw refuse(wrongTemplate, "The 'TemplateId' or 'TemplateAlias' is required.");
  const model = email.take('TemplateModel');
  if (typeof model !== 'object' || Array.isArray(model)) {
    throw refuse(incompatibleJson, "Incompatible JSON: 'TemplateModel' must be an object.");
  }
  const shown: Shown = id === undefined ? [['TemplateAlias', alias]] : [['TemplateId', given]];
  const more: Shown = id !== undefined && alias !== undefined ? [['TemplateAlias', alias]] : [];
  const text = templateText(String(given), model);
  return finish(email, { html: undefined, text, shown: [...shown, ...more], subject: '' });
}

interface Read {
  readonly html: string | undefined;
  readonly text: string | undefined;
  readonly shown: Shown;
  readonly subject: string;
}

function finish(email: Members, { html, text, shown, subject }: Read): ReadMessage {
  const from = parseOneAddress(email.requiredText('From', { max: 2000 }));
  if (!from) throw refuse(invalidRequest, "Invalid 'From' address.");
  const [to = [], cc = [], bcc = [], replyTo = []] = ['To', 'Cc', 'Bcc', 'ReplyTo'].map((name) =>
    readRecipients(email, name),
  );
  if (to.length + cc.length + bcc.length === 0) throw refuse(invalidRequest, 'Zero recipients specified');
  if (to.length + cc.length + bcc.length > recipientsMax) {
    throw refuse(invalidRequest, `There may be at most ${recipientsMax} recipients.`);
  }
  const tag = email.text('Tag', { max: 1000 });
  const metadata = readMetadata(email);
  const content: MessageContent = {
    html,
    text,
    alternatives: [],
    files: email.objects('Attachments', 1000, readFile),
  };
  requireModest(content);
  const fields = email.objects('Headers', 200, readHeader);
  return toReadMessage(
    {
      service: 'postmark',
      id: randomUUID(),
      from,
      to,
      cc,
      bcc,
      replyTo,
      subject,
      fields,
      content,
      facts: toFacts({ To: to, Cc: cc, Bcc: bcc }),
      shown: [
        ...(tag === undefined ? [] : [['Tag', tag] as const]),
        ...metadata,
        ...shown,
        ...readRest(email),
      ],
    },
    (reason) => refuse(invalidRequest, reason),
  );
}

/** The recipients, as the answer repeats them. */
function toFacts(lists: Readonly<Record<string, readonly Mailbox[]>>): Readonly<Record<string, string>> {
  const texts = Object.entries(lists).map(
    ([name, list]) => [name, list.map(({ email }) => email).join(', ')] as const,
  );
  return Object.fromEntries(texts.filter(([name, text]) => name === 'To' || text !== ''));
}

function readRest(email: Members): Shown {
  const rest = email.rest(kinds);
  const links = rest.find(([name]) => name === 'TrackLinks')?.[1];
  if (links !== undefined && !/^(?:None|HtmlAndText|HtmlOnly|TextOnly)$/.test(links as string)) {
    throw email.wrong('TrackLinks', 'None, HtmlAndText, HtmlOnly or TextOnly');
  }
  return rest;
}

function readRecipients(email: Members, name: string): readonly Mailbox[] {
  const text = email.text(name, { max: 100_000 });
  if (text === undefined || text.trim() === '') return [];
  const mailboxes = parseAddressList(text, 1000);
  if (mailboxes) return mailboxes;
  throw refuse(invalidRequest, `Error parsing '${name}': Illegal email address.`);
}

/** One header field for each key, as Postmark writes them. */
function readMetadata(email: Members): Shown {
  return email.texts('Metadata').map(([key, value]) => {
    if (key.length > 20 || Buffer.byteLength(value) > 80 || !/^[\w.-]+$/.test(key)) {
      throw refuse(invalidRequest, 'Metadata keys have at most 20 characters, values at most 80.');
    }
    return [`Metadata-${key}`, value] as const;
  });
}

function readHeader(header: Members): HeaderField {
  const [name, value] = [header.requiredText('Name'), header.text('Value', { isLong: true }) ?? ''];
  if (headerFault(name, value) === undefined) return [name, value];
  throw refuse(invalidRequest, `Invalid header '${name.slice(0, 100).replace(/[^\x20-\x7e]/g, '?')}'.`);
}

function readFile(file: Members): SentFile {
  const filename = file.requiredText('Name');
  if (forbidden.test(filename)) {
    throw refuse(invalidRequest, `Attachment '${filename}' has a forbidden type.`);
  }
  const content = decodeBase64(file.text('Content', { isLong: true }) ?? '');
  if (!content) throw refuse(invalidRequest, `The content of attachment '${filename}' is not base64.`);
  const contentType = file.requiredText('ContentType');
  const read = toFile({ content, filename, contentType, contentId: file.text('ContentID') });
  if (!read) throw refuse(invalidRequest, `Attachment '${filename}' has an invalid type or content id.`);
  return read;
}

function requireModest({ html = '', text = '', files }: MessageContent): void {
  const length = html.length + text.length + files.reduce((sum, { content }) => sum + content.length, 0);
  if (length > messageMaxBytes) throw refuse(invalidRequest, 'The message has more than 10 MB.');
}
