// The threat model in SECURITY.md names existing tests, each in a complete row.

import { existsSync, readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

const rows = readFileSync('SECURITY.md', 'utf8')
  .split('## The threat model')[1]!
  .split('\n## ')[0]!
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

it('has rows with who, what, boundary, answer and test', () => {
  expect(rows.length).toBeGreaterThan(20);
  for (const row of rows) {
    expect(row).toHaveLength(5);
    for (const cell of row) expect(cell).not.toBe('');
  }
});

it.each(rows.map((row) => [row[1], row[4]] as const))(
  '"%s" is shown by %s, which holds tests',
  (_what, file) => {
    expect([file, existsSync(file!)]).toEqual([file, true]);
    expect(readFileSync(file!, 'utf8')).toMatch(/\b(?:it(?:\.each)?|test[A-Z]\w*)\(/);
  },
);
