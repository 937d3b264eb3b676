import { describe, expect, it } from 'vitest';

import type { LineNoun } from './command.ts';
import { formatCompletion } from './completion.ts';
import { formatCommand } from './format-command.ts';
import { parseLine, splitRest } from './parse-line.ts';
import { UsageError } from './usage-error.ts';

const add = {
  words: 'tree add',
  help: 'plant a tree',
  parameters: {
    name: { kind: 'text', required: true, description: 'its name', operand: 'NAME' },
    height: {
      kind: 'int',
      min: 1,
      max: 100,
      description: 'in metres',
      option: { name: 'height', value: 'M' },
    },
    evergreen: {
      kind: 'flag',
      description: 'whether it keeps its leaves',
      option: { name: 'evergreen', opposite: 'deciduous' },
    },
  },
} as const;
const nouns: readonly LineNoun[] = [
  { word: 'tree', commands: [add, { words: 'tree list', help: 'list trees', parameters: {} }] },
  { word: 'run', commands: [{ words: 'run', help: 'run a command', parameters: {}, rest: 'COMMAND' }] },
  { word: 'help', commands: [{ words: 'help', help: 'print this', parameters: {} }] },
];
const parse = (line: string) => parseLine(line.split(' ').filter(Boolean), nouns);

describe('parseLine', () => {
  it('gives the command with its operands and options', () => {
    expect(parse('tree add elm --height 20 --deciduous')).toEqual({
      kind: 'call',
      command: add,
      given: { name: 'elm', height: 20, evergreen: false },
      files: {},
    });
  });

  it('takes a line without words for help', () => {
    expect(parse('')).toMatchObject({ kind: 'call', command: { words: 'help' } });
    expect(parse('tree --help')).toEqual({ kind: 'help', of: 'tree' });
    expect(parse('--version')).toEqual({ kind: 'version' });
  });

  it.each([
    ['shrub', 'There is no command "shrub".'],
    ['tree add', '`tree` takes add NAME or list.'],
    ['tree add elm --height 0', '--height takes a number from 1 to 100.'],
    ['tree list --height 2', '--height belongs to `tree add`.'],
    ['tree add elm --evergreen --deciduous', '--evergreen and --deciduous exclude each other.'],
  ])('says what is wrong with %s', (line, message) => {
    expect(() => parse(line)).toThrow(new UsageError(message));
  });
});

it('separates the words after -- only for a command that takes them', () => {
  expect(splitRest(['run', '--', 'ls', '--all'], nouns)).toEqual({ line: ['run'], rest: ['ls', '--all'] });
  expect(splitRest(['tree', 'add', '--', 'elm'], nouns)).toEqual({ line: ['tree', 'add', '--', 'elm'] });
});

it('writes help and completion from the declarations', () => {
  expect(formatCommand(add).join('\n')).toMatch(
    /^ {2}tree add NAME \[--height M\] \[--evergreen \| --deciduous\]\n/,
  );
  expect(formatCompletion('park', nouns)).toContain(
    "'tree add') words='--height --evergreen --deciduous' ;;",
  );
});
