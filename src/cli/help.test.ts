import { expect, it } from 'vitest';

import { settings } from '../config/settings.ts';
import { help } from './help.ts';
import { parseArguments } from './parse-arguments.ts';

it('fits a terminal', () => {
  for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  expect(help.endsWith('\n')).toBe(true);
});

it('tells of every command that there is, and of no other', () => {
  const usages = [
    ...help.matchAll(
      /^ {2}([a-z]+(?: (?:add|list|test|disable|remove|rotate|dead list|dead replay))?)(?: NAME| EMAIL| ID)?(?:[ |]|$)/gm,
    ),
  ].map(([, command]) => command ?? '');
  expect(usages).toEqual([
    'serve',
    'domain add',
    'domain list',
    'domain disable',
    'domain remove',
    'gmail add',
    'gmail list',
    'gmail test',
    'gmail disable',
    'gmail remove',
    'secret rotate',
    'webhook dead list',
    'webhook dead replay',
    'version',
    'help',
  ]);
  for (const usage of usages) {
    const words = usage.split(' ');
    const operand = /add|test|disable|remove/.test(usage) ? ['a.b'] : usage.endsWith('replay') ? ['all'] : [];
    const file = { 'gmail add': ['--password-file', 'x'], 'secret rotate': ['--new-key-file', 'x'] }[usage];
    expect(() => parseArguments([...words, ...operand, ...(file ?? [])])).not.toThrow();
  }
});

it('names settings that exist, with their defaults', () => {
  for (const [, name, fallback] of help.matchAll(/^ {2}(MAYFLY_\w+).*\((.*?)(?:,.*)?\)$/gm)) {
    const setting = settings.find((one) => one.name === name);
    expect(setting, name).toBeDefined();
    if (setting?.default !== '') expect(setting?.default).toBe(fallback);
  }
});
