// The workflows of CI and of the release, as far as their text allows: what they pin, what they may do, and that nothing
// is published before the tests of its commit.

import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { python } from '../support/clients/client-folders.ts';
import { runProgram } from '../support/servers/run-program.ts';

interface Job {
  readonly permissions: Readonly<Record<string, string>>;
  readonly needs?: string | readonly string[];
  readonly if?: string;
  readonly uses?: string;
  readonly steps?: readonly { readonly run?: string; readonly uses?: string; readonly if?: string }[];
}

interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

async function readWorkflow(name: string): Promise<Workflow> {
  const file = readFileSync(`.github/workflows/${name}`, 'utf8');
  // YAML 1.1 reads the key `on` as a boolean.
  const script =
    'import json, sys, yaml; print(json.dumps({str(k): v for k, v in yaml.safe_load(sys.stdin).items()}))';
  const { stdout } = await runProgram(python, ['-c', script], { input: file });
  return JSON.parse(stdout) as Workflow;
}

const isPush = "github.event_name == 'push'";

describe.each(['ci.yml', 'release.yml'])('the workflow %s', (name) => {
  it('pins every action to a commit, and names its version', () => {
    const lines = readFileSync(`.github/workflows/${name}`, 'utf8').split('\n');
    const uses = lines.filter((line) => /uses: (?!\.\/)/.test(line));
    expect(uses.length).toBeGreaterThan(3);
    for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('gives a job no permission that it does not use', async () => {
    const { permissions, jobs } = await readWorkflow(name);
    expect(permissions).toEqual({});
    const wanted: Readonly<Record<string, object>> = {
      image: { contents: 'read', packages: 'write' },
      npm: { contents: 'read', 'id-token': 'write' },
      pypi: { 'id-token': 'write' },
      index: { packages: 'write' },
      go: { contents: 'write' },
      github: { contents: 'write' },
      // The called workflow of the same name only builds it.
      ...(name === 'release.yml' ? { site: { contents: 'read', 'id-token': 'write', pages: 'write' } } : {}),
    };
    for (const [job, { permissions: own }] of Object.entries(jobs)) {
      expect(own, job).toEqual(wanted[job] ?? { contents: 'read' });
    }
  });

  it('puts no value of the event into a script', async () => {
    const { jobs } = await readWorkflow(name);
    const scripts = Object.values(jobs).flatMap(({ steps = [] }) => steps.map(({ run = '' }) => run));
    expect(scripts.join('\n')).not.toContain('${{');
  });
});

it('publishes nothing but what a tag names, after the tests of its commit', async () => {
  const { jobs } = await readWorkflow('release.yml');
  const needs = (job: string): string[] => {
    const direct = [jobs[job]?.needs ?? []].flat();
    return [...direct, ...direct.flatMap(needs)];
  };
  expect(jobs['ci']?.uses).toBe('./.github/workflows/ci.yml');
  const { jobs: tests } = await readWorkflow('ci.yml');
  expect(tests['all']?.steps?.map(({ run }) => run)).toContain('.ci/run');
  const publishing = Object.entries(jobs).filter(([, { permissions }]) =>
    Object.values(permissions).includes('write'),
  );
  expect(publishing.length).toBeGreaterThan(5);
  for (const [name, job] of publishing) {
    expect(needs(name), name).toEqual(expect.arrayContaining(['ci', 'build']));
    const isGuarded =
      job.if === isPush ||
      job.steps?.filter(({ run }) => /docker push/.test(run ?? '')).every((step) => step.if === isPush);
    expect(isGuarded, name).toBe(true);
  }
  expect(JSON.stringify(jobs['build'])).toContain('git merge-base --is-ancestor HEAD origin/main');
});

it('starts what it builds before anything is published, on both kinds of processors', async () => {
  const { jobs } = await readWorkflow('release.yml');
  for (const name of ['image', 'deb']) {
    const text = JSON.stringify(jobs[name]);
    for (const part of ['amd64', 'arm64', 'ubuntu-24.04-arm', 'scripts/smoke-test.mjs']) {
      expect(text).toContain(part);
    }
    for (const job of ['npm', 'pypi']) expect(jobs[job]?.needs).toContain(name);
  }
});

it('runs the steps of a release that are tested', async () => {
  const { jobs } = await readWorkflow('release.yml');
  const scripts = Object.entries(jobs).flatMap(([job, { steps = [] }]) =>
    steps.flatMap(({ run = '' }) =>
      run
        .split('\n')
        .filter((line) => line.includes('release.mjs'))
        .map((line) => `${job}: ${line}`),
    ),
  );
  expect(scripts).toEqual([
    'build: node scripts/release.mjs build release --tag "$GITHUB_REF_NAME"',
    'build: node scripts/release.mjs build release --dry-run',
    'build: node scripts/release.mjs publish-npm release --dry-run',
    'build: node scripts/release.mjs tag-go --dry-run',
    'deb: node scripts/release.mjs deb deb --arch "$ARCH"',
    'npm: node scripts/release.mjs publish-npm release --provenance',
    'go: node scripts/release.mjs tag-go --tag "$GITHUB_REF_NAME"',
  ]);
});
