// Checks the Dockerfile without Docker: its invariants, and that the files it copies exist.

import { existsSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { loadConfig } from '#config/load-config';
import { settings } from '#config/settings';
import { parseDockerfile } from '../support/dockerfile.ts';

const root = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');
const stages = parseDockerfile(read('Dockerfile'));
const [build, image] = stages;

function argumentsOf(stage: typeof image, name: string): string[] {
  return (stage?.steps ?? []).filter((step) => step.name === name).map((step) => step.text);
}

describe('the Dockerfile', () => {
  it('builds in one stage and runs in another, both of the Node.js that the package is tested on', () => {
    expect(stages).toHaveLength(2);
    const { optionalDependencies: tested } = JSON.parse(read('scripts/release/service/package.json')) as {
      optionalDependencies: Readonly<Record<string, string>>;
    };
    const [version = '', ...others] = new Set(Object.values(tested));
    expect(others).toEqual([]);
    expect(version).toMatch(/^24\./);
    expect(build?.from).toBe(`node:${version}-bookworm`);
    expect(image?.from).toBe(`node:${version}-bookworm-slim`);
  });

  it('runs as a user that is not root, with a health check and a volume', () => {
    expect(argumentsOf(image, 'USER')).toEqual(['node']);
    expect(argumentsOf(image, 'VOLUME')).toEqual(['/data']);
    expect(argumentsOf(image, 'HEALTHCHECK')).toHaveLength(1);
    expect(JSON.parse(argumentsOf(image, 'ENTRYPOINT')[0] ?? '')).toEqual(['node', 'bin/mayfly.mjs']);
  });

  it('leaves the tools of the build behind', () => {
    expect(argumentsOf(build, 'RUN').at(-1)).toBe('node scripts/release.mjs lay-out /opt/mayfly');
    expect(argumentsOf(image, 'COPY')).toEqual(['--from=build /opt/mayfly ./']);
  });

  it('copies only existing files, and fetches nothing itself', () => {
    const copied = argumentsOf(build, 'COPY').flatMap((text) => text.split(' ').slice(0, -1));
    expect(copied.filter((name) => name !== '.' && !existsSync(new URL(name, root)))).toEqual([]);
    expect(stages.flatMap(({ steps }) => steps.map((step) => step.name))).not.toContain('ADD');
  });

  it('sets only existing settings, to valid values', () => {
    const pairs = argumentsOf(image, 'ENV').flatMap((text) => text.split(' '));
    const environment = Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]));
    expect(unknown(Object.keys(environment))).toEqual([]);
    expect(loadConfig(environment).http.host).toBe('0.0.0.0');
  });
});

it('.dockerignore includes what the build needs, and neither data nor history', () => {
  const allowed = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'));
  const needed = [
    'bin',
    'clients/cli',
    'clients/typescript',
    'packages',
    'scripts',
    'src',
    '.npmrc',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'LICENSE',
  ];
  expect(needed.filter((name) => !allowed.includes(`!${name}`))).toEqual([]);
  for (const name of ['.git', 'data', 'node_modules', 'build', 'test']) {
    expect(allowed).not.toContain(`!${name}`);
  }
});

describe.each(['deploy/compose/one-node.yml', 'deploy/compose/two-nodes.yml', 'deploy/systemd/mayfly.env'])(
  '%s',
  (file) => {
    it('names only existing settings', () => {
      // Only names before a colon or an equals sign are settings; other text may be the operator's own.
      const named = [...read(file).matchAll(/^[\s#]*(MAYFLY_[A-Z_]+)(?::|=)/gm)].map(
        ([, name]) => name ?? '',
      );
      expect(named.length).toBeGreaterThan(2);
      expect(unknown(named)).toEqual([]);
    });
  },
);

it.each(['deploy/compose/two-nodes.yml'])(
  '%s trusts the proxy in front of its published port, and nothing beyond its own network',
  (file) => {
    // The default of a variable, which may be another variable.
    const values = (pattern: RegExp): string[] =>
      [...read(file).matchAll(pattern)].map(([, text = '']) => /([0-9./]+)\}+$/.exec(text)?.[1] ?? text);
    const [trusted, ...others] = values(/^ *MAYFLY_HTTP_TRUSTED_PROXIES: (.*)$/gm);
    expect(others).toEqual([]);
    expect(values(/^ *- subnet: (.*)$/gm)).toEqual([trusted]);
    const environment = { MAYFLY_HTTP_TRUSTED_PROXIES: trusted };
    expect(loadConfig(environment).http.trustedProxies).toEqual([trusted]);
  },
);

it.each(['deploy/compose/one-node.yml', 'deploy/compose/two-nodes.yml'])(
  '%s is complete by itself, under a name of its own',
  (file) => {
    expect(read(file)).toMatch(/^name: mayfly$/m);
    expect(read(file)).not.toContain('build:');
    // A password in a URL would need escaping.
    expect(read(file)).not.toMatch(/:\/\/[^\s]*PASSWORD/);
  },
);

it('deploy/compose/one-node.yml serves HTTPS itself, where no client is taken for a proxy', () => {
  const file = read('deploy/compose/one-node.yml');
  const values = Object.fromEntries(
    [...file.matchAll(/^ *(MAYFLY_[A-Z_]+): (.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      /^\$\{.*:-(.*)\}$/.exec(value)?.[1] ?? value,
    ]),
  );
  const given = {
    MAYFLY_DOMAINS: 'example.org',
    MAYFLY_SMTP_HOSTNAME: 'mx.example.org',
    MAYFLY_HTTP_PUBLIC_URL: 'https://mail.example.org',
  };
  expect(Object.keys(values)).toEqual(expect.arrayContaining(Object.keys(given)));
  const { http } = loadConfig({ ...values, ...given });
  expect(http).toMatchObject({ tls: 'acme', trustedProxies: [] });
  const published = [...file.matchAll(/^ *- '(\d+):(\d+)'$/gm)].map(([, outside, inside]) => [
    outside,
    inside,
  ]);
  expect(published).toEqual([
    ['25', '2525'],
    ['443', String(http.port)],
    ['80', String(http.redirectPort)],
  ]);
});

function unknown(names: readonly string[]): string[] {
  const known = new Set(settings.map(({ name }) => name));
  return names.filter((name) => name.startsWith('MAYFLY_') && !known.has(name));
}
