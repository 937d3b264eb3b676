// The doctor's findings for a terminal: each with its state, and what to do below it.

import { type Finding, stateOf } from '#doctor/finding';
import { count } from '../operator/command.ts';

const marks = { ok: 'ok', warning: 'warning', failed: 'FAILED', unknown: 'unknown' } as const;

export function formatFindings(findings: readonly Finding[]): string[] {
  const lines = findings.flatMap(({ state, what, fix }) => [
    `${marks[state].padEnd(8)} ${what}`,
    ...(fix === null ? [] : [`${' '.repeat(9)}${fix}`]),
  ]);
  return [...lines, '', summarise(findings)];
}

function summarise(findings: readonly Finding[]): string {
  const number = (wanted: Finding['state']): number =>
    findings.filter(({ state }) => state === wanted).length;
  if (stateOf(findings) === 'ok') return `All ${findings.length} checks are green.`;
  const parts = [
    ...(number('failed') > 0 ? [`${number('failed')} failed`] : []),
    ...(number('warning') > 0 ? [count(number('warning'), 'warning', 'warnings')] : []),
    ...(number('unknown') > 0 ? [`${number('unknown')} not checked`] : []),
  ];
  return `Not green: ${parts.join(', ')}, of ${findings.length} checks.`;
}
