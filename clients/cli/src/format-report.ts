// Formats a report on a message for a terminal.

import type { Finding, MailReport } from 'mayfly-client';

export function formatReport({ findings, omitted, errors, warnings, infos }: MailReport): string {
  const counts = [count(errors, 'error'), count(warnings, 'warning'), `${infos} for information`].join(', ');
  const left = omitted > 0 ? [`${omitted} further findings are left out.`] : [];
  return `${[...findings.map(formatFinding), ...left, counts].join('\n')}\n`;
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}

function formatFinding({
  rule,
  severity,
  message,
  advice,
  part,
  name,
  line,
  column,
  excerpt,
}: Finding): string {
  const place = [part, name, line, column].filter((one) => one !== null).join(':');
  const source = excerpt === '' ? [] : [`    ${excerpt}`];
  return [`${severity} ${rule} at ${place}`, ...source, `  ${message}`, `  ${advice}`, ''].join('\n');
}
