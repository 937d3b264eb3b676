// Lists temporary passwords: what follows a password word and a colon. Called by find-codes.ts.
// Only such a place gives a password; signs that no code has would otherwise match anything.
import type { CodeSource } from './code-source.ts';
import type { Candidate } from './find-candidates.ts';
import { isPartOfSomethingElse } from './reject-candidate.ts';

const MAX_FOUND = 20;
const AFTER_WORD = /^[^\S\n]{0,3}[*_]{0,2}[:：=][*_\s]{0,4}([^\s<>]{6,32})(?=\s|$)/;

export function findPasswords(source: CodeSource): Candidate[] {
  const found: Candidate[] = [];
  for (const hit of source.hits) {
    if (hit.tag !== 'password' || found.length >= MAX_FOUND) continue;
    const match = AFTER_WORD.exec(source.text.slice(hit.end, hit.end + 48));
    const value = match?.[1]?.replace(/[.,;*_]+$/, '') ?? '';
    if (!match || !isPassword(value)) continue;
    const start = hit.end + match[0].indexOf(value);
    if (isPartOfSomethingElse(source.text, { start, end: start + value.length })) continue;
    found.push({ value, shape: 'password', start, end: start + value.length, prefix: '', crowded: false });
  }
  return found;
}

function isPassword(value: string): boolean {
  if (value.length < 6 || value.includes('://') || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  return !/^[A-Za-z0-9]{4,10}$/.test(value) || /[a-z]/.test(value);
}
