// Lists temporary passwords: what follows a password word and a colon, or its verb. Called by find-codes.ts. Only
// these positions count, because characters that no code has would otherwise match anything.
import type { CodeSource } from './code-source.ts';
import { type Candidate, isTimeOrSize, toCandidate } from './find-candidates.ts';
import { isPartOfSomethingElse } from './reject-candidate.ts';

const foundMax = 20;
/** "Password: …", "Senha temporária é: …", "Sandi sementara Anda: …": at most two words precede the colon. */
const afterColon =
  /^(?:\p{L}{1,6})?(?:[^\S\n]\p{L}{1,12}){0,2}(?:[^\S\n]{0,3}[*_]{0,2}[:：=][*_\s]{0,4}|\t|\s[-—]\s)([^\s<>，。、；]{6,32})(?=[\s，。、；]|$)/u;
/** On a line of its own below the word, and not an ordinary word. */
const onNextLine =
  /^(?:[^\n:：]{0,60}[:：])?[^\S\n]{0,3}\n\s{0,4}((?=\S*\d)(?=\S*[a-z])(?=\S*[A-Z])[^\s<>]{8,32})[^\S\n]{0,3}(?=\n|$)/;
const afterVerb = /^[^\S\n]{0,2}["'“„«「]?([^\s<>"'”“»，。、；」]{6,32})["'”“»」]?(?=[\s，。、；]|$)/;
const verbReach = 3;
const reach = 112;

export function findPasswords(source: CodeSource): Candidate[] {
  const found: Candidate[] = [];
  source.hits.forEach((hit, i) => {
    if (found.length >= foundMax) return;
    if (hit.tag === 'code') {
      // "One-time password: Fiets7!kk", "Your code: nt7wqk3z": only a label makes such characters a code.
      const code = readAfter(source, hit.end, afterColon);
      if (code && /[a-z]/.test(code.value) && /\d/.test(code.value)) found.push(code);
      return;
    }
    if (hit.tag !== 'password') return;
    const verb = source.hits[i + 1];
    const isJoined = verb?.tag === 'copula' && verb.start >= hit.end && verb.start - hit.end <= verbReach;
    const candidate =
      readAfter(source, hit.end, afterColon) ??
      readAfter(source, hit.end, onNextLine) ??
      (isJoined ? readAfter(source, verb.end, afterVerb) : undefined);
    if (candidate) found.push(candidate);
  });
  return found;
}

function readAfter(source: CodeSource, end: number, pattern: RegExp): Candidate | undefined {
  const match = pattern.exec(source.text.slice(end, end + reach));
  const value = match?.[1]?.replace(/[.,;*_]+$/, '') ?? '';
  if (!match || !isPassword(value)) return undefined;
  const start = end + match[0].indexOf(value);
  if (isPartOfSomethingElse(source.text, { start, end: start + value.length })) return undefined;
  return toCandidate(value, 'password', { start, end: start + value.length });
}

function isPassword(value: string): boolean {
  if (value.length < 6 || value.includes('//') || !/[A-Za-z]/.test(value)) return false;
  if (value.split('-').every(isTimeOrSize)) return false;
  if (!/\d/.test(value)) return /[a-z]/.test(value) && /[A-Z]/.test(value) && /[!#$%&*+=?@^~]/.test(value);
  return !/^[A-Za-z0-9]{4,10}$/.test(value) || /[a-z]/.test(value);
}
