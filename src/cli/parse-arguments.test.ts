import { describe, expect, it } from 'vitest';

import { parseArguments } from './parse-arguments.ts';
import { UsageError } from './usage-error.ts';

function parse(line: string) {
  return parseArguments(line === '' ? [] : line.split(' '));
}

describe('parseArguments', () => {
  it.each([
    ['', 'help'],
    ['help', 'help'],
    ['--help', 'help'],
    ['-h', 'help'],
    ['serve --help', 'help'],
    ['domain add --help', 'help'],
    ['version', 'version'],
    ['--version', 'version'],
    ['-v', 'version'],
  ])('takes "%s" for %s', (line, kind) => {
    expect(parse(line)).toEqual({ kind });
  });

  it.each([
    ['serve', 1],
    ['serve --processes 8', 8],
  ])('takes "%s" for %d processes of the service', (line, processes) => {
    expect(parse(line)).toEqual({ kind: 'serve', processes });
  });

  it.each([
    ['domain list', { command: 'domain-list' }],
    ['domain add example.org', { command: 'domain-add', name: 'example.org', quarantineSeconds: undefined }],
    [
      'domain add example.org --quarantine 0',
      { command: 'domain-add', name: 'example.org', quarantineSeconds: 0 },
    ],
    ['domain --quarantine=60 add a.b', { command: 'domain-add', name: 'a.b', quarantineSeconds: 60 }],
    [
      'domain add a.b --refuse-dmarc-reject',
      { command: 'domain-add', name: 'a.b', refusesDmarcReject: true },
    ],
    [
      'domain add a.b --accept-dmarc-reject',
      { command: 'domain-add', name: 'a.b', refusesDmarcReject: false },
    ],
    ['domain disable a.b', { command: 'domain-disable', name: 'a.b' }],
    ['domain remove a.b', { command: 'domain-remove', name: 'a.b' }],
    ['domain check a.b', { command: 'domain-check', name: 'a.b' }],
    ['key list', { command: 'key-list' }],
    [
      'key add shop',
      { command: 'key-add', name: 'shop', isAdmin: false, scopes: [], ratePerMinute: undefined },
    ],
    [
      'key add shop --scope create,gmail --scope webhook --rate 600',
      {
        ...{ command: 'key-add', name: 'shop', isAdmin: false },
        ...{ scopes: ['create', 'gmail', 'webhook'], ratePerMinute: 600 },
      },
    ],
    [
      'key add ops --admin --scope read',
      { command: 'key-add', name: 'ops', isAdmin: true, scopes: ['read'], ratePerMinute: undefined },
    ],
    ['key revoke shop', { command: 'key-revoke', name: 'shop' }],
    ['session find', { command: 'session-find', address: '' }],
    ['session find fox@', { command: 'session-find', address: 'fox@' }],
    ['session end fox@a.b', { command: 'session-end', address: 'fox@a.b' }],
    ['block list', { command: 'block-list' }],
    ['block add sender a.b --note why', { command: 'block-add', kind: 'sender', value: 'a.b', note: 'why' }],
    ['block remove prefix a*', { command: 'block-remove', kind: 'prefix', value: 'a*' }],
    ['settings', { command: 'settings' }],
    ['gmail list', { command: 'gmail-list' }],
    ['gmail test a@gmail.com', { command: 'gmail-test', email: 'a@gmail.com' }],
    ['gmail disable a@gmail.com', { command: 'gmail-disable', email: 'a@gmail.com' }],
    ['gmail remove a@gmail.com', { command: 'gmail-remove', email: 'a@gmail.com' }],
  ])('takes "%s" for a request', (line, request) => {
    expect(parse(line)).toEqual({ kind: 'control', request });
  });

  it('takes commands with a secret for a request and the file that the secret is in', () => {
    expect(parse('gmail add a@gmail.com --password-file secret.txt')).toEqual({
      kind: 'control-with-file',
      request: { command: 'gmail-add', email: 'a@gmail.com' },
      ...{ file: 'secret.txt', holds: 'password' },
    });
    const all =
      'gmail add a@b.c --oauth2-file token.json --host h --port 143 --security starttls --user u ' +
      '--inbox-folder In --spam-folder Junk';
    expect(parse(all)).toEqual({
      kind: 'control-with-file',
      request: {
        ...{ command: 'gmail-add', email: 'a@b.c', host: 'h', port: 143, security: 'starttls', user: 'u' },
        ...{ inboxFolder: 'In', spamFolder: 'Junk' },
      },
      ...{ file: 'token.json', holds: 'oauth2' },
    });
    expect(parse('secret rotate --new-key-file new.key')).toEqual({
      kind: 'control-with-file',
      request: { command: 'secret-rotate' },
      ...{ file: 'new.key', holds: 'secret-key' },
    });
  });

  it.each([
    ['frobnicate', 'There is no command "frobnicate".'],
    ['__proto__', 'There is no command "__proto__".'],
    ['Serve', 'There is no command "Serve".'],
    ['serve now', '`serve` takes no arguments but --processes.'],
    ['serve --processes 0', '--processes takes a number from 1 to 64.'],
    ['domain list --processes 2', '--processes belongs to `serve`.'],
    ['version 2', '`version` takes no arguments.'],
    ['domain', '`domain` takes add NAME, list, check NAME, disable NAME or remove NAME.'],
    ['domain show a.b', '`domain` takes add NAME, list, check NAME, disable NAME or remove NAME.'],
    ['domain list a.b', '`domain` takes add NAME, list, check NAME, disable NAME or remove NAME.'],
    ['domain add', '`domain add` takes one NAME.'],
    ['domain add a.b c.d', '`domain add` takes one NAME.'],
    ['domain remove', '`domain remove` takes one NAME.'],
    ['serve --quarantine 5', '--quarantine belongs to `domain add`.'],
    ['domain list --quarantine 5', '--quarantine belongs to `domain add`.'],
    ['domain remove a.b --quarantine 5', '--quarantine belongs to `domain add`.'],
    ['domain disable a.b --refuse-dmarc-reject', '--refuse-dmarc-reject belongs to `domain add`.'],
    ['help --accept-dmarc-reject', '--accept-dmarc-reject belongs to `domain add`.'],
    [
      'domain add a.b --refuse-dmarc-reject --accept-dmarc-reject',
      '--refuse-dmarc-reject and --accept-dmarc-reject exclude each other.',
    ],
    ['key', '`key` takes add NAME, list or revoke NAME.'],
    ['key add', '`key` takes add NAME, list or revoke NAME.'],
    ['key list x', '`key` takes add NAME, list or revoke NAME.'],
    ['key add a --rate 0', '--rate takes calls a minute, from 1 to 1000000.'],
    ['key add a --rate 1e3', '--rate takes calls a minute, from 1 to 1000000.'],
    ['key revoke a --rate 5', '--rate belongs to `key add`.'],
    ['serve --admin', '--admin belongs to `key add`.'],
    ['domain add a.b --scope read', '--scope belongs to `key add`.'],
    ['key add a --note x', '--note belongs to `block add`.'],
    ['session', '`session` takes find [ADDRESS] or end ADDRESS.'],
    ['session end', '`session` takes find [ADDRESS] or end ADDRESS.'],
    ['session find a b', '`session` takes find [ADDRESS] or end ADDRESS.'],
    ['block add sender', '`block` takes list, or add or remove with sender, prefix or network and a VALUE.'],
    ['block', '`block` takes list, or add or remove with sender, prefix or network and a VALUE.'],
    ['settings all', '`settings` takes no arguments.'],
    ['domain add a.b --quarantine 1.5', '--quarantine takes whole seconds, at most 999999999.'],
    ['domain add a.b --quarantine=-5', '--quarantine takes whole seconds, at most 999999999.'],
    ['domain add a.b --quarantine=', '--quarantine takes whole seconds, at most 999999999.'],
    ['domain add a.b --quarantine 30d', '--quarantine takes whole seconds, at most 999999999.'],
    ['domain add a.b --quarantine 1000000000', '--quarantine takes whole seconds, at most 999999999.'],
    ['gmail', '`gmail` takes add EMAIL, list, test EMAIL, disable EMAIL, enable EMAIL or remove EMAIL.'],
    [
      'gmail list a@b.c',
      '`gmail` takes add EMAIL, list, test EMAIL, disable EMAIL, enable EMAIL or remove EMAIL.',
    ],
    ['gmail add', '`gmail add` takes one EMAIL.'],
    ['gmail test a@b.c d@e.f', '`gmail test` takes one EMAIL.'],
    ['gmail add a@b.c', '`gmail add` takes either --password-file FILE or --oauth2-file FILE.'],
    [
      'gmail add a@b.c --password-file x --oauth2-file y',
      '`gmail add` takes either --password-file FILE or --oauth2-file FILE.',
    ],
    ['gmail add a@b.c --password-file x --security ssl', '--security takes tls, starttls or none.'],
    ['gmail add a@b.c --password-file x --port 0', '--port takes a number from 1 to 65535.'],
    ['gmail add a@b.c --password-file x --port imap', '--port takes a number from 1 to 65535.'],
    ['gmail list --host x', '--host belongs to `gmail add`.'],
    ['domain add a.b --password-file x', '--password-file belongs to `gmail add`.'],
    ['gmail add a@b.c --password-file x --quarantine 1', '--quarantine belongs to `domain add`.'],
    ['secret', '`secret` takes rotate --new-key-file FILE.'],
    ['secret rotate', '`secret` takes rotate --new-key-file FILE.'],
    ['secret rotate now --new-key-file x', '`secret` takes rotate --new-key-file FILE.'],
    ['gmail list --new-key-file x', '--new-key-file belongs to `secret rotate`.'],
  ])('refuses "%s"', (line, message) => {
    expect(() => parse(line)).toThrow(new UsageError(message));
  });

  it.each([
    '--port 80',
    'serve -x',
    'domain add a.b --quarantine',
    'domain add a.b --quarantine -5',
    '--help=yes',
  ])('names what is wrong with "%s" in one line', (line) => {
    const caught = (() => {
      try {
        return parse(line);
      } catch (error) {
        return error;
      }
    })();
    expect(caught).toBeInstanceOf(UsageError);
    expect((caught as Error).message).toMatch(/^.*(?:--port|-x|--quarantine|--help).*$/);
    expect((caught as Error).message).not.toContain('\n');
  });
});
