// The program's own commands, in addition to the operator's of operator/: running the service, managing its files,
// reading inboxes. Declared the same way, so that one parser and one help serve both. Carried out by main.ts.

import { devPorts } from '../config/dev-settings.ts';
import type { CommandParameters } from '../operator/command.ts';
import { nouns } from '../operator/commands.ts';
import { inboxCommands } from '#inbox/commands';
import type { LineCommand, LineNoun } from './line-command.ts';

export type ProgramKind = (typeof programKinds)[number];

const programKinds = [
  'serve',
  'dev',
  ...inboxCommands.map(({ words }) => words),
  'mailbox list',
  'mailbox show',
  'mailbox remove',
  'backup',
  'restore',
  'copy',
  'postgres distribute',
  'completion',
  'version',
  'help',
] as const;

/** The number that Citus creates by default; a worker has several, so that they can be redistributed. */
export const shardsByDefault = 32;

const folder = {
  folder: { kind: 'text', required: true, description: 'the backup', operand: 'FOLDER' },
} as const;
const letter = {
  id: { kind: 'text', required: true, description: 'the message', operand: 'ID' },
} as const;

const serve = command('serve', 'run the service: HTTP, SMTP and the store; in N processes on PostgreSQL', {
  processes: {
    kind: 'int',
    min: 1,
    max: 64,
    description: '',
    option: { name: 'processes', value: 'N' },
  },
});

const listenPort = { kind: 'int', min: 0, max: 65_535 } as const;

const dev = command(
  'dev',
  'run the service for a developer and for tests: accept mail for any address, keep it in a temporary folder until it ' +
    'ends, limit no rates, and print the variables for a test',
  {
    smtp_port: {
      ...listenPort,
      description: `port of SMTP (${devPorts.smtp}); 0 for any free one`,
      option: { name: 'smtp-port', value: 'PORT' },
    },
    http_port: {
      ...listenPort,
      description: `port of HTTP (${devPorts.http}); 0 for any free one`,
      option: { name: 'http-port', value: 'PORT' },
    },
    host: {
      kind: 'text',
      pattern: '^[0-9A-Za-z:.-]{1,255}$',
      description: 'where both listen (127.0.0.1); anyone who can reach it can read all mail',
      option: { name: 'host', value: 'ADDRESS', takes: 'an IP address or a host name' },
    },
    data: {
      kind: 'text',
      pattern: '.',
      description: 'a folder that is kept, instead of the temporary one',
      option: { name: 'data', value: 'DIR', takes: 'a folder' },
    },
  },
);

const restore = command('restore', 'put a backup into the empty data folder', {
  ...folder,
  end_sessions: {
    kind: 'flag',
    description: 'end its sessions, some of which may have been ended since',
    option: { name: 'end-sessions' },
  },
});

const copy = command(
  'copy',
  'copy the whole store in the data folder FOLDER into an empty PostgreSQL database; if interrupted, it resumes ' +
    'when run again',
  {
    from: {
      kind: 'text',
      required: true,
      pattern: '^sqlite:.',
      description: '',
      option: {
        name: 'from',
        value: 'sqlite:FOLDER',
        takes: 'sqlite:FOLDER, the data folder of the store to copy',
      },
    },
    to: {
      kind: 'text',
      pattern: '^postgres(?:ql)?://.',
      description: 'the database (default: MAYFLY_STORE_URL)',
      option: {
        name: 'to',
        value: 'postgres://…',
        takes: 'the postgres:// URL of an empty database',
      },
    },
  },
);

const distribute = command(
  'postgres distribute',
  'spread the schema over the workers of a Citus cluster; if interrupted, it resumes when run again',
  {
    check: {
      kind: 'flag',
      description: 'change nothing, report what there is to do',
      option: { name: 'check' },
    },
    shards: {
      kind: 'int',
      min: 1,
      max: 1024,
      description: `number of shards (${shardsByDefault}), and so the most workers that can share them`,
      option: { name: 'shards', value: 'N' },
    },
  },
);

const before: readonly LineNoun[] = [
  { word: 'serve', commands: [serve] },
  { word: 'dev', commands: [dev] },
  { word: 'inbox', commands: inboxCommands },
];
const after: readonly LineNoun[] = [
  {
    word: 'mailbox',
    commands: [
      command('mailbox list', 'list mail to postmaster and abuse'),
      command('mailbox show', 'show one message; the beginning of its ID is enough', letter),
      command('mailbox remove', 'remove one message', letter),
    ],
  },
  {
    word: 'backup',
    explainsEach: true,
    commands: [
      command('backup', 'copy everything that matters into a new or empty FOLDER, under load', folder),
    ],
  },
  { word: 'restore', explainsEach: true, commands: [restore] },
  { word: 'copy', commands: [copy] },
  { word: 'postgres', commands: [distribute] },
  {
    word: 'completion',
    commands: [command('completion', 'print a script for completion in bash: . <(mayfly completion)')],
  },
  { word: 'version', commands: [command('version', 'print the version')] },
  { word: 'help', commands: [command('help', 'print this')] },
];

/** In the order of the help. */
export const lineNouns: readonly LineNoun[] = [...before, ...nouns, ...after];

export function isProgramKind(words: string): words is ProgramKind {
  return programKinds.some((kind) => kind === words);
}

function command(words: ProgramKind, help: string, parameters: CommandParameters = {}): LineCommand {
  return { words, help, parameters };
}
