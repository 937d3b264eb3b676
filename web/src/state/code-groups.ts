// A code cut into groups that the eye takes in at once. Pure; joined again they are the code.

/** Digits alone are cut, six and more: in halves, or threes. */
export function toCodeGroups(code: string): string[] {
  if (!/^\d{6,12}$/.test(code)) return [code];
  const size = code.length % 3 === 0 ? 3 : 4;
  return code.match(new RegExp(`\\d{1,${size}}`, 'g')) ?? [code];
}
