import { execFileSync } from 'node:child_process';

import { expect, it } from 'vitest';

import { settings } from '#config/settings';
import { formatCompletion } from '#command-line/completion';
import { formatHelp } from './help.ts';
import { lineNouns } from './program-commands.ts';

const help = formatHelp();

it('fits a terminal', () => {
  for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  expect(help.endsWith('\n')).toBe(true);
});

it('tells of every command with every option', () => {
  for (const { words, parameters } of lineNouns.flatMap(({ commands }) => commands)) {
    if (words === undefined) continue;
    expect(help).toMatch(new RegExp(`^ {2}${words}(?: |$)`, 'm'));
    for (const { option } of Object.values(parameters)) {
      for (const name of [option?.name, option?.opposite]) {
        if (name !== undefined) expect(help).toMatch(new RegExp(`[ [(]--${name}[ \\]]`));
      }
    }
  }
});

it('describes one command alone, with all its options', () => {
  for (const { words, parameters } of lineNouns.flatMap(({ commands }) => commands)) {
    if (words === undefined || words === 'help') continue;
    const own = formatHelp(words);
    expect(own).toMatch(new RegExp(`^Usage: mayfly ${words}(?: COMMAND)?\n`));
    for (const { option } of Object.values(parameters)) {
      if (option !== undefined) expect(own).toContain(`--${option.name}`);
    }
    for (const line of own.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  }
  expect(formatHelp('domain add')).toContain('--quarantine');
  expect(formatHelp('domain add')).not.toMatch(/domain (?:set|list|remove)|inbox|serve/);
});

it('lists all commands of a noun', () => {
  const own = formatHelp('key');
  expect(own.match(/^ {2}key \w+/gm)).toEqual(['  key add', '  key list', '  key revoke', '  key link']);
});

it('is completed by a script that bash reads', () => {
  const script = formatCompletion('mayfly', lineNouns);
  expect(script).toContain("'domain') words='add set list check disable remove' ;;");
  expect(script).toContain(
    "'domain add') words='--quarantine --refuse-dmarc-reject --accept-dmarc-reject --unknown' ;;",
  );
  const line = ['mayfly', 'key', 're'];
  const complete = `${script}COMP_WORDS=(${line.join(' ')}); COMP_CWORD=2; _mayfly; echo "\${COMPREPLY[*]}"`;
  expect(execFileSync('bash', ['-c', complete], { encoding: 'utf8' })).toBe('revoke\n');
});

it('names settings that exist, with their defaults', () => {
  for (const [, name, fallback] of help.matchAll(/^ {2}(MAYFLY_\w+).*\((.*?)(?:,.*)?\)$/gm)) {
    const setting = settings.find((one) => one.name === name);
    expect(setting, name).toBeDefined();
    if (setting?.default !== '') expect(setting?.default).toBe(fallback);
  }
});
