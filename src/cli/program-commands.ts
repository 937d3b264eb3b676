// The program's own commands, in addition to the operator's of operator/: running the service, managing its files,
// reading inboxes. Declared the same way, so that one parser and one help serve both.

import type { LineNoun } from '#command-line/command';
import { inboxCommands } from '#inbox/commands';

import { devPorts } from '#config/dev-ports';
import { version } from '../app/version.ts';
import { nouns } from '../operator/commands.ts';
import { type ProgramCommand, say } from './program-command.ts';
import { shardsByDefault } from './shards-by-default.ts';

const folder = {
  folder: { kind: 'text', required: true, description: 'the backup', operand: 'FOLDER' },
} as const;
const serve = command({
  words: 'serve',
  help: 'run the service: HTTP, SMTP and the store; in N processes on PostgreSQL',
  parameters: {
    processes: {
      kind: 'int',
      min: 1,
      max: 64,
      description: '',
      option: { name: 'processes', value: 'N' },
    },
  },
  run: async (...call) => (await import('./run-service.ts')).serve(...call),
});

const listenPort = { kind: 'int', min: 0, max: 65_535 } as const;

const dev = command({
  words: 'dev',
  help:
    'run the service for a developer and for tests: accept mail for any address, keep it in a temporary folder until it ' +
    'ends, limit no rates, and print the variables for a test; with a COMMAND, run it with these variables on free ' +
    'ports, report the mail that it did not read, and end with its status',
  rest: 'COMMAND [ARGUMENT...]',
  parameters: {
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
    save_env: {
      kind: 'text',
      pattern: '.',
      description: 'write the variables to this file, until it ends',
      option: { name: 'save-env', value: 'FILE', takes: 'a file' },
    },
    json: {
      kind: 'flag',
      description: 'print the addresses and variables, or the report, as a line of JSON',
      option: { name: 'json' },
    },
  },
  run: async (...call) => (await import('./run-dev.ts')).dev(...call),
});

const restore = command({
  words: 'restore',
  help: 'put a backup into the empty data folder',
  parameters: folder,
  run: async (...call) => (await import('./store-commands.ts')).restore(...call),
});

const backup = command({
  words: 'backup',
  help: 'copy everything that matters into a new or empty FOLDER, under load',
  parameters: folder,
  run: async (...call) => (await import('./store-commands.ts')).backup(...call),
});

const copy = command({
  words: 'copy',
  help:
    'copy the whole store in the data folder FOLDER into an empty PostgreSQL database; if interrupted, it resumes ' +
    'when run again',
  parameters: {
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
  run: async (...call) => (await import('./store-commands.ts')).copy(...call),
});

const distribute = command({
  words: 'postgres distribute',
  help: 'spread the schema over the workers of a Citus cluster; if interrupted, it resumes when run again',
  parameters: {
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
  run: async (...call) => (await import('./store-commands.ts')).distribute(...call),
});

const quickstart = command({
  words: 'quickstart',
  help:
    'set up this server, as root, for mail to DOMAIN and its page on HTTPS: user, files, units, records, certificate, ' +
    'backup; run again, it changes only what differs',
  parameters: {
    domain: { kind: 'text', required: true, description: 'the domain', operand: 'DOMAIN' },
    host: {
      kind: 'text',
      pattern: '.',
      description: 'name of the server, for mail and the page (mail.DOMAIN)',
      option: { name: 'host', value: 'NAME', takes: 'a host name' },
    },
    address: {
      kind: 'text',
      pattern: '.',
      description: 'its public addresses (those of its interfaces)',
      option: { name: 'address', value: 'ADDRESS', takes: 'an IP address', repeats: true },
    },
    set: {
      kind: 'text',
      pattern: '.',
      description: 'a further setting',
      option: { name: 'set', value: 'NAME=VALUE', takes: 'NAME=VALUE', repeats: true },
    },
    wait: {
      kind: 'int',
      min: 0,
      max: 1440,
      description: 'minutes to wait for the records (30)',
      option: { name: 'wait', value: 'MINUTES' },
    },
    yes: {
      kind: 'flag',
      description: 'ask nothing, and agree to the terms of the certificate authority',
      option: { name: 'yes' },
    },
    print: {
      kind: 'text',
      pattern: '.',
      description: 'change nothing, and write everything into this folder instead, on any system',
      option: { name: 'print', value: 'DIR', takes: 'a folder' },
    },
  },
  run: async (given) => (await import('./quickstart.ts')).quickstart(given),
});

const doctor = command({
  words: 'doctor',
  help:
    'examine the whole service: DNS, certificates, mail from outside, proxies, clock, disk, backups; ends with status 0 ' +
    'only if everything was checked and is right',
  parameters: {
    mail: {
      kind: 'flag',
      description: 'first wait, up to five minutes, for a mail from elsewhere to an address that it prints',
      option: { name: 'mail' },
    },
    domain: {
      kind: 'text',
      pattern: '.',
      description: 'the domain of that address (the first one)',
      option: { name: 'domain', value: 'NAME', takes: 'a domain' },
    },
    json: { kind: 'flag', description: 'print the report as a line of JSON', option: { name: 'json' } },
  },
  run: async (...call) => (await import('./doctor-command.ts')).doctor(...call),
});

const mailbox = [
  command({
    words: 'mailbox list',
    help: 'list mail to postmaster and abuse',
    parameters: {},
    run: async (_given, program) =>
      (await import('./store-commands.ts')).mailbox({ action: 'list' }, program),
  }),
  letterCommand('show', 'show one message; the beginning of its ID is enough'),
  letterCommand('remove', 'remove one message'),
];

function letterCommand<const A extends 'show' | 'remove'>(action: A, help: string) {
  return command({
    words: `mailbox ${action}`,
    help,
    parameters: { id: { kind: 'text', required: true, description: 'the message', operand: 'ID' } },
    run: async ({ id }, program) =>
      (await import('./store-commands.ts')).mailbox({ action, id: String(id) }, program),
  });
}

const inbox = inboxCommands.map((declared) =>
  command({
    ...declared,
    run: async (...call) => (await import('./inbox-commands.ts')).inbox(declared.words, ...call),
  }),
);

const sendmail = command({
  words: 'sendmail',
  help:
    'send the message on standard input to the service at SMTP_URL (smtp://127.0.0.1:1025), as sendmail would; -t takes ' +
    'recipients from the header, -i ignores lines with only a dot, -bs speaks SMTP',
  ownWords: '[-t] [-i] [-f SENDER] [-F NAME] [-bs] [-S HOST:PORT] [RECIPIENT...]',
  parameters: {},
  run: async (...call) => (await import('./sendmail-command.ts')).sendmail(...call),
});

const completion = command({
  words: 'completion',
  help: 'print a script for completion in bash: . <(mayfly completion)',
  parameters: {},
  run: (_given, { formatCompletion }) => {
    process.stdout.write(formatCompletion());
  },
});

const printVersion = command({
  words: 'version',
  help: 'print the version',
  parameters: {},
  run: () => {
    say([`mayfly ${version}`]);
  },
});

const help = command({
  words: 'help',
  help: 'print this',
  parameters: {},
  run: ({ of }, { formatHelp }) => {
    process.stdout.write(formatHelp(of?.toString()));
  },
});

const before = [
  { word: 'quickstart', explainsEach: true, commands: [quickstart] },
  { word: 'serve', commands: [serve] },
  { word: 'dev', commands: [dev] },
  { word: 'inbox', commands: inbox },
  { word: 'sendmail', commands: [sendmail] },
] as const;
const after = [
  { word: 'doctor', commands: [doctor] },
  { word: 'mailbox', commands: mailbox },
  { word: 'backup', explainsEach: true, commands: [backup] },
  { word: 'restore', explainsEach: true, commands: [restore] },
  { word: 'copy', commands: [copy] },
  { word: 'postgres', commands: [distribute] },
  { word: 'completion', commands: [completion] },
  { word: 'version', commands: [printVersion] },
  { word: 'help', commands: [help] },
] as const;

/** In the order of the help. */
export const lineNouns: readonly LineNoun[] = [...before, ...nouns, ...after];

const programCommands = [...before, ...after].flatMap(({ commands }): readonly NamedCommand[] => commands);

type NamedCommand = (typeof before | typeof after)[number]['commands'][number];
export type ProgramKind = NamedCommand['words'];

/** Returns undefined for the words of an operator's command. */
export function findProgramCommand(words: string): NamedCommand | undefined {
  return programCommands.find((one) => one.words === words);
}

/** This function exists only so that the compiler infers the words. */
function command<const W extends string>(declared: ProgramCommand & { readonly words: W }) {
  return declared;
}
