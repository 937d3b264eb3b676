import { expect, it } from 'vitest';

import { mergeSettings, readSettings } from './settings-file.ts';

const text = `# Of the operator.
MAYFLY_DOMAINS=example.org
MAYFLY_HTTP_PORT='8080'

# MAYFLY_ADMIN_PORT=8081
`;

it('is not changed when it says what is wanted', () => {
  expect(mergeSettings(text, { MAYFLY_DOMAINS: 'example.org', MAYFLY_HTTP_PORT: '8080' })).toBe(text);
});

it('keeps comments and other settings, and has each setting once', () => {
  const merged = mergeSettings(text, { MAYFLY_DOMAINS: 'example.org,b.example', MAYFLY_ADMIN_PORT: '8081' });
  expect(merged).toBe(`# Of the operator.
MAYFLY_HTTP_PORT='8080'

# MAYFLY_ADMIN_PORT=8081
MAYFLY_DOMAINS=example.org,b.example
MAYFLY_ADMIN_PORT=8081
`);
  expect(mergeSettings(merged, { MAYFLY_ADMIN_PORT: '8081' })).toBe(merged);
});

it('reads back what it wrote, blanks included', () => {
  const wanted = { A: 'a b', B: 'postgres://u:p@h/d?x=1', C: '$HOME "quoted"', D: '' };
  expect(readSettings(mergeSettings('', wanted))).toEqual(wanted);
  expect(() => mergeSettings('', { A: "it's" })).toThrow(RangeError);
  expect(() => mergeSettings('', { A: 'a\nB=c' })).toThrow(RangeError);
});
