import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { parseSettingsFile, readSettingSources } from './setting-sources.ts';
import { describeSettings } from './settings-in-force.ts';

function write(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-settings-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, 'mayfly.env');
  writeFileSync(file, text);
  return file;
}

it('reads lines as sh and systemd do', () => {
  const text = `# a comment
MAYFLY_A=1
  MAYFLY_B = no
export MAYFLY_C="two words \\"and\\" \\$x"
MAYFLY_D='it''s' \r
MAYFLY_E=
MAYFLY_F=1,\\
 2
http_proxy=x
; another`.replace('  MAYFLY_B = no\n', '');
  expect(Object.fromEntries(parseSettingsFile(text, 'f'))).toEqual({
    MAYFLY_A: '1',
    MAYFLY_C: 'two words "and" $x',
    MAYFLY_D: "it''s",
    MAYFLY_E: '',
    MAYFLY_F: '1,2',
    http_proxy: 'x',
  });
});

it.each([
  ['MAYFLY_A', 'Line 1 of f must be NAME=VALUE.'],
  ['\nMAYFLY_B = hunter2', 'Line 2 of f must be NAME=VALUE.'],
  ['MAYFLY_C="hunter2', 'MAYFLY_C in f has a quote that does not end.'],
])('refuses other lines without quoting them: %j', (text, message) => {
  expect(() => parseSettingsFile(text, 'f')).toThrow(message);
});

it('takes from the file what the environment does not set, and tells where each setting comes from', () => {
  const file = write('MAYFLY_LOG_LEVEL=debug\nMAYFLY_HTTP_PORT=1234\nMAYFLY_SECRET_KEY=hunter2\n');
  const sources = readSettingSources({
    MAYFLY_SETTINGS_FILE: file,
    MAYFLY_HTTP_PORT: '8080',
    MAYFLY_LOG_LEVEL: ' ',
  });
  expect(sources.environment).toMatchObject({ MAYFLY_LOG_LEVEL: 'debug', MAYFLY_HTTP_PORT: '8080' });
  const shown = new Map(describeSettings(sources).map(({ name, ...rest }) => [name, rest]));
  expect(shown.get('MAYFLY_LOG_LEVEL')).toEqual({ value: 'debug', source: 'file', file });
  expect(shown.get('MAYFLY_HTTP_PORT')).toEqual({ value: '8080', source: 'environment', file: null });
  expect(shown.get('MAYFLY_SECRET_KEY')).toEqual({ value: '(set)', source: 'file', file });
  expect(shown.get('MAYFLY_DATA_DIR')).toEqual({ value: './data', source: 'default', file: null });
});

it('names the file for what systemd has made the environment of it, but not for what something else has set', () => {
  const file = write('MAYFLY_LOG_LEVEL="debug"\nMAYFLY_HTTP_PORT=1234\n');
  const sources = readSettingSources({
    MAYFLY_SETTINGS_FILE: file,
    MAYFLY_LOG_LEVEL: 'debug',
    MAYFLY_HTTP_PORT: '8080',
  });
  const shown = new Map(describeSettings(sources).map((one) => [one.name, one]));
  expect(shown.get('MAYFLY_LOG_LEVEL')).toMatchObject({ source: 'file', file });
  expect(shown.get('MAYFLY_HTTP_PORT')).toMatchObject({ value: '8080', source: 'environment', file: null });
});

it('shows durations as people write them, whatever their unit', () => {
  const environment = {
    MAYFLY_SESSION_TOTAL_MAX_SECONDS: '2592000',
    MAYFLY_DNS_TIMEOUT_MS: '2500',
    MAYFLY_PARSE_TIMEOUT_MS: '3000',
  };
  const shown = new Map(
    describeSettings({ environment, others: new Map(), file: '' }).map(({ name, value }) => [name, value]),
  );
  expect(shown.get('MAYFLY_SESSION_TOTAL_MAX_SECONDS')).toBe('30d');
  expect(shown.get('MAYFLY_DNS_TIMEOUT_MS')).toBe('2500ms');
  expect(shown.get('MAYFLY_PARSE_TIMEOUT_MS')).toBe('3s');
});

it('reads a last line that ends in a backslash, and no line after it', () => {
  expect(parseSettingsFile('A=1\nB=2\\', 'f')).toEqual(
    new Map([
      ['A', '1'],
      ['B', '2'],
    ]),
  );
});

it('refuses a file that cannot be read', () => {
  expect(() => readSettingSources({ MAYFLY_SETTINGS_FILE: '/none/mayfly.env' })).toThrow(
    /^MAYFLY_SETTINGS_FILE names \/none\/mayfly\.env, which cannot be read/,
  );
});
