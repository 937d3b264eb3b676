// Every regular expression of service and page takes time linear in the length of its input. Each gets texts made of
// its own pieces: repeatable pieces thousands of times, after whatever must precede them. A quadratic one needs
// seconds of processor time where the others need less than a millisecond, so one bound serves for all.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
/** A header field of the greatest length the HTTP listener accepts. */
const chars = 16_000;
const longestMs = 60;
const attempts = 4;

/**
 * Excludes tests, readers of the operator's own text, and the search for codes, which works on short pieces of text.
 */
const unread = /\.test\.tsx?$|^src\/cli\/|^packages\/config\/|^packages\/mail-reader\/src\/extract\//;
const isRead = (file: string): boolean => /\.tsx?$/.test(file) && !unread.test(file);

function listSources(): string[] {
  const packages = readdirSync(path.join(root, 'packages')).map((name) => `packages/${name}/src`);
  return ['src', ...packages, 'web/src', 'web/service-worker'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => path.join(folder, file))
      .filter(isRead),
  );
}

function listExpressions(file: string): RegExp[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(path.join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
  );
  const found: RegExp[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push(new RegExp(node.text.slice(1, end), node.text.slice(end + 1)));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const escapes: Readonly<Record<string, string>> = {
  s: ' ',
  S: 'x',
  d: '1',
  D: 'x',
  w: 'a',
  W: ' ',
  t: '\t',
  r: '\r',
  n: '\n',
  f: '\f',
  b: '',
  B: '',
};
const piece =
  /\\u\{?[\da-fA-F]+\}?|\\x[\da-fA-F]{2}|\\p\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<?[=!]|:|<\w+>))?|[)|^$]|[*+?]\??|\{\d+(?:,\d*)?\}\??|./gsu;

/** Returns a character that the piece of an expression matches; '' for none. */
function exampleOf(text: string, flags: string): string {
  if (/^(?:\(|[)|^$]$|[*+?]\??$|\{\d)/.test(text)) return '';
  if (text.startsWith('\\u') || text.startsWith('\\x')) {
    return String.fromCodePoint(parseInt(text.replace(/[^\da-fA-F]/g, ''), 16));
  }
  if (text.startsWith('\\p')) return 'a';
  if (text.startsWith('\\')) return escapes[text.charAt(1)] ?? text.charAt(1);
  if (text === '.') return 'x';
  if (!text.startsWith('[')) return text;
  const set = new RegExp(text, flags.replace(/[gy]/g, ''));
  return [...' xa1A0.,;:=-_/<>"\'()@\\\t\r\n%&#+!\u00e9\u200b\u4e00'].find((char) => set.test(char)) ?? '';
}

/** Returns repeatable pieces, each with what precedes it. */
function attacksOn({ source, flags }: RegExp): string[] {
  const examples = [...source.matchAll(piece)]
    .map(([text]) => exampleOf(text, flags))
    .filter((one) => one !== '');
  const attacks = new Set<string>();
  examples.forEach((one, at) => {
    const before = examples.slice(0, at).join('');
    for (const unit of [one, examples.slice(at, at + 2).join(''), examples.slice(at, at + 3).join('')]) {
      const repeated = unit.repeat(Math.ceil(chars / unit.length));
      for (const text of [`${before}${repeated}\u0001`, `${repeated}\u0001`]) attacks.add(text);
    }
  });
  for (const unit of [' ', '\t', ' \n', 'a', '0', '.', ',', '=', '"', '\\', '<', '%']) {
    attacks.add(`${unit.repeat(chars / unit.length)}\u0001`);
  }
  return [...attacks];
}

/** Returns processor time. */
function timeOf(expression: RegExp, text: string): number {
  const before = process.cpuUsage();
  if (expression.global) text.replace(expression, '');
  else {
    expression.lastIndex = 0;
    expression.exec(text);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function slowestOn(expression: RegExp): string | undefined {
  return attacksOn(expression).find((text) =>
    Array.from({ length: attempts }).every(() => timeOf(expression, text) > longestMs),
  );
}

describe('every regular expression', () => {
  const sources = listSources().map((file) => [file, listExpressions(file)] as const);

  it('is found', () => {
    expect(sources.flatMap(([, found]) => found).length).toBeGreaterThan(150);
    expect(slowestOn(/\s*;/)).toBeDefined();
    expect(slowestOn(/[.!?]+$/)).toBeDefined();
    expect(slowestOn(/^(a+)\s+b/)).toBeUndefined();
  });

  it.each(sources.filter(([, found]) => found.length > 0))(
    'is linear in %s',
    { timeout: 300_000 },
    (_, found) => {
      const slow = found.filter((expression) => slowestOn(expression) !== undefined);
      expect(slow.map(String)).toEqual([]);
    },
  );
});
