import { expect, it } from 'vitest';

import { settings } from '../config/settings.ts';
import { help } from './help.ts';
import { parseArguments } from './parse-arguments.ts';

it('fits a terminal', () => {
  for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  expect(help.endsWith('\n')).toBe(true);
});

/** Command → what it takes at the least. */
const operands: Readonly<Record<string, readonly string[]>> = {
  serve: [],
  'domain add': ['a.b'],
  'domain list': [],
  'domain check': ['a.b'],
  'domain disable': ['a.b'],
  'domain remove': ['a.b'],
  'key add': ['shop'],
  'key list': [],
  'key revoke': ['shop'],
  'session find': [],
  'session end': ['fox@a.b'],
  'block add': ['sender', 'a.b'],
  'block list': [],
  'block remove': ['sender', 'a.b'],
  settings: [],
  'gmail add': ['a@gmail.com', '--password-file', 'x'],
  'gmail list': [],
  'gmail test': ['a@gmail.com'],
  'gmail disable': ['a@gmail.com'],
  'gmail enable': ['a@gmail.com'],
  'gmail remove': ['a@gmail.com'],
  'secret rotate': ['--new-key-file', 'x'],
  'webhook dead list': [],
  'webhook dead replay': ['all'],
  'mailbox list': [],
  'mailbox show': ['a'],
  backup: ['folder'],
  restore: ['folder'],
  copy: ['--from', 'sqlite:folder'],
  version: [],
  help: [],
};

it('tells of every command that there is, and of no other', () => {
  const actions =
    'add|list|check|test|disable|enable|remove|revoke|rotate|find|end|dead list|dead replay|show';
  const usage = new RegExp(
    `^ {2}([a-z]+(?: (?:${actions}))?)(?:\\|remove)?(?: [A-Z]+| \\[| --|[ |]|$)`,
    'gm',
  );
  const usages = new Set([...help.matchAll(usage)].map(([, command]) => command ?? ''));
  expect([...usages]).toEqual([...Object.keys(operands)]);
  for (const [words, operand] of Object.entries(operands)) {
    expect(() => parseArguments([...words.split(' '), ...operand])).not.toThrow();
  }
});

it('names settings that exist, with their defaults', () => {
  for (const [, name, fallback] of help.matchAll(/^ {2}(MAYFLY_\w+).*\((.*?)(?:,.*)?\)$/gm)) {
    const setting = settings.find((one) => one.name === name);
    expect(setting, name).toBeDefined();
    if (setting?.default !== '') expect(setting?.default).toBe(fallback);
  }
});
