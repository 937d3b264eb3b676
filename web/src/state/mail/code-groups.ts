// Cuts a code into groups that are easy to read. Pure; joined, the groups are the code.

/** Only codes of six or more digits are cut, in halves or threes. */
export function toCodeGroups(code: string): string[] {
  if (!/^\d{6,12}$/.test(code)) return [code];
  const size = code.length % 3 === 0 ? 3 : 4;
  return code.match(new RegExp(`\\d{1,${size}}`, 'g')) ?? [code];
}
