// The commands of `mayfly inbox`, for people and scripts: inboxes of any Mayfly, over HTTP. Only declared here, in the
// form that the main program's parser and help take; run.ts carries them out, and is loaded when one is called.

const url = {
  kind: 'text',
  pattern: '^https?://.',
  description: '',
  option: { name: 'url', value: 'URL', takes: 'the http or https address of a service' },
} as const;
const json = flag('json');
const known = { kind: 'text', pattern: '@', description: '' } as const;
const address = { ...known, operand: 'ADDRESS' } as const;
const duration = {
  kind: 'text',
  pattern: '^\\d{1,7}(?:ms|s|m|h|d)?$',
  description: '',
} as const;
const takesDuration = 'a number of seconds, or one with ms, s, m, h or d';

function flag(name: string, description = '') {
  return { kind: 'flag', description, option: { name } } as const;
}

function text(name: string, value: string, description = '') {
  return { kind: 'text', pattern: '.', description, option: { name, value, takes: 'text' } } as const;
}

export const inboxCommands = [
  {
    words: 'inbox new',
    help: 'create an address at the service of --url or MAYFLY_URL (http://127.0.0.1:8080), print it and keep its token',
    parameters: {
      prefix: text('prefix', 'NAME'),
      style: {
        kind: 'choice',
        values: ['words', 'random'],
        description: 'a random name of words that can be spoken, or of characters',
        option: { name: 'style' },
      },
      domain: text('domain', 'NAME'),
      lifetime: {
        ...duration,
        option: { name: 'lifetime', value: 'TIME', takes: takesDuration },
      },
      capture: flag('capture', 'capture every address at a subdomain of its own'),
      url,
      json,
      show_token: flag('show-token', 'print the token too, which is printed nowhere else'),
    },
  },
  {
    words: 'inbox list',
    help: 'inboxes that were created here and have not ended',
    parameters: { url, json },
  },
  {
    words: 'inbox wait',
    help: 'wait for mail, including mail already there, and print only the code, the link or the message',
    oneOf: ['code', 'link', 'message'],
    parameters: {
      address,
      code: flag('code'),
      link: flag('link'),
      message: flag('message'),
      timeout: {
        ...duration,
        description: 'how long (60s)',
        option: { name: 'timeout', value: 'TIME', takes: takesDuration },
      },
      from: text('from', 'TEXT', 'part of the sender, in any case; likewise --to, --subject and --contains'),
      to: text('to', 'TEXT'),
      subject: text('subject', 'TEXT'),
      contains: text('contains', 'TEXT'),
      q: text('search', 'TEXT', 'a search, such as \'from:shop has:attachment "of today"\''),
      link_kind: text('kind', 'KIND', 'kind of the link, such as verify, login or reset'),
      code_kind: text('code-kind', 'KIND', 'kind of the code, such as otp, pin, pickup or password'),
      host: text('host', 'NAME', 'host that the link leads to'),
      url,
      json,
    },
  },
  {
    words: 'inbox watch',
    help: 'show messages as they arrive, until Ctrl-C',
    parameters: { address, url, json },
  },
  {
    words: 'inbox read',
    help: 'print the newest message, or the one with the ID, as text',
    parameters: {
      id: { kind: 'text', pattern: '^(?:latest|\\d{1,15})$', description: '', operand: 'ID' },
      raw: flag('raw'),
      text: flag('text'),
      html: flag('html'),
      json,
      inbox: { ...known, option: { name: 'inbox', value: 'ADDRESS', takes: 'an address' } },
      url,
    },
  },
  {
    words: 'inbox report',
    help: 'report on the newest message, or the one with the ID, as its sender; fails if there is an error in it',
    parameters: {
      id: { kind: 'text', pattern: '^(?:latest|\\d{1,15})$', description: '', operand: 'ID' },
      json,
      inbox: { ...known, option: { name: 'inbox', value: 'ADDRESS', takes: 'an address' } },
      url,
    },
  },
  {
    words: 'inbox import',
    help: 'store the message of an .eml file, or of standard input, as if it had just arrived; print its number',
    parameters: {
      file: { kind: 'text', pattern: '.', description: '', operand: 'FILE' },
      inbox: { ...known, option: { name: 'inbox', value: 'ADDRESS', takes: 'an address' } },
      url,
    },
  },
  {
    words: 'inbox export',
    help: 'print all messages as one mbox file, oldest first',
    parameters: { address, url },
  },
  {
    words: 'inbox open',
    help: 'open the inbox in the browser',
    parameters: {
      address,
      print: flag('print', 'print the address of the page instead; anyone with it can read the inbox'),
      url,
    },
  },
  {
    words: 'inbox end',
    help: 'end the inbox; its mail is gone',
    parameters: { address, url },
  },
] as const;

export type InboxCommand = (typeof inboxCommands)[number]['words'];

/** Exit statuses of failures. */
export const inboxStatus = { failed: 1, usage: 2 } as const;
