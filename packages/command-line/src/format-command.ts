// Formats a command with its options for the help, in columns.

import type { LineCommand } from './command.ts';
import { optionsOf, writeUsage } from './line-syntax.ts';

const width = 100;
/** The column where explanations begin. */
const column = 30;

/** Returns its lines. */
export function formatCommand(command: LineCommand): string[] {
  const { words = '', help } = command;
  const usage = wrap(writeUsage(command), `  ${words} `);
  const options = optionsOf(command).filter(({ parameter }) => parameter.description !== '');
  const indent = ' '.repeat(column);
  const text = [
    ...wrap(help.split(' '), indent),
    ...options.flatMap(({ option, parameter }) =>
      wrap(`--${option.name}: ${parameter.description}`.split(' '), indent),
    ),
  ];
  const [only = '', ...further] = usage;
  if (further.length > 0 || only.length > column - 2) return [...usage, ...text];
  return [only.padEnd(column) + (text[0] ?? '').trimStart(), ...text.slice(1)];
}

/** Wraps pieces after `start`, indenting further lines to the same column. */
function wrap(pieces: readonly string[], start: string): string[] {
  const lines = [start.trimEnd()];
  for (const piece of pieces) {
    const line = lines.at(-1) ?? '';
    const isFirst = line.length < start.length;
    const longer = (isFirst ? start : `${line} `) + piece;
    if (isFirst || longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(' '.repeat(start.length) + piece);
  }
  return lines;
}
