// The HTML check of Mailpit's dialect, compared with Mailpit itself, built from the Go module proxy, on 200 templates like
// public ones.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { ensurePeers } from '../../bench/peers/build-peers.mjs';
import { publicTemplates } from '../../bench/public-templates.ts';
import { checkHtmlForMailpit, checkLinksForMailpit } from '../../packages/mail-report/src/mailpit.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/servers/free-port.ts';

interface Warning {
  readonly Slug: string;
  readonly [field: string]: unknown;
  readonly Results: readonly {
    readonly Name: string;
    readonly Support: string;
    readonly NoteNumber: string;
  }[];
  readonly Score: Readonly<Record<'Found' | 'Supported' | 'Partial' | 'Unsupported', number>>;
}

interface Check {
  readonly Warnings: readonly Warning[];
  readonly Platforms: Readonly<Record<string, readonly string[]>>;
  readonly Total: Readonly<Record<string, number>>;
}

let origin: string;
const stops: (() => void)[] = [];

beforeAll(async () => {
  const programs = await ensurePeers(path.resolve('build'));
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-mailpit-'));
  const [http, smtp] = [await freePort(), await freePort()];
  const child = spawn(
    path.join(programs, 'mailpit'),
    [
      ...['--quiet', '--listen', `127.0.0.1:${http}`, '--smtp', `127.0.0.1:${smtp}`],
      ...['--database', path.join(folder, 'db'), '--max', '0', '--block-remote-css-and-fonts'],
    ],
    { stdio: 'ignore' },
  );
  stops.push(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  origin = `http://127.0.0.1:${http}`;
  await eventually(async () => {
    const isReady = await fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    return isReady || undefined;
  }, 'Mailpit answers');
}, 300_000);

afterAll(() => {
  for (const stop of stops) stop();
});

async function askMailpit(html: string): Promise<Check> {
  const sent = await fetch(`${origin}/api/v1/send`, {
    method: 'POST',
    body: JSON.stringify({
      From: { Email: 'a@x.example' },
      To: [{ Email: 'b@x.example' }],
      Subject: 'x',
      HTML: html,
    }),
  });
  const { ID: id } = (await sent.json()) as { ID: string };
  const answer = await fetch(`${origin}/api/v1/message/${id}/html-check`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Check;
}

/** Each value that a program could read, by its place; order is left out, since Mailpit's is random. */
function toFields({ Warnings, Total, Platforms }: Check): Map<string, string> {
  const fields = new Map<string, string>();
  const add = (place: string, value: unknown): void => {
    fields.set(place, typeof value === 'number' ? value.toFixed(2) : JSON.stringify(value));
  };
  for (const [name, value] of Object.entries(Total)) add(`Total.${name}`, value);
  for (const [name, value] of Object.entries(Platforms)) add(`Platforms.${name}`, value);
  for (const { Slug, Results, Score, NotesByNumber, ...rest } of Warnings) {
    for (const [name, value] of Object.entries(rest)) add(`${Slug}.${name}`, value);
    for (const [name, value] of Object.entries(Score)) add(`${Slug}.Score.${name}`, value);
    for (const [name, value] of Object.entries(NotesByNumber ?? {})) add(`${Slug}.Notes.${name}`, value);
    for (const { Name, Support, NoteNumber } of Results) {
      add(`${Slug}.Results.${Name}`, [Support, NoteNumber]);
    }
  }
  return fields;
}

it('agrees with Mailpit on 99 % of all fields and on what is found in 99 % of templates', async () => {
  const templates = publicTemplates(200);
  let [same, all, found, exact] = [0, 0, 0, 0];
  const differing = new Map<string, number>();
  for (const { html } of templates) {
    const wanted = toFields(await askMailpit(html));
    const given = toFields(JSON.parse(JSON.stringify(checkHtmlForMailpit(html))) as Check);
    let isExact = true;
    for (const place of new Set([...wanted.keys(), ...given.keys()])) {
      all += 1;
      const isFound = place.endsWith('.Found') || /^Total\.(?:Nodes|Tests)$/.test(place);
      if (isFound) found += 1;
      if (wanted.get(place) === given.get(place)) {
        same += 1;
        continue;
      }
      if (isFound) isExact = false;
      const named = `${place}: ${wanted.get(place) ?? '-'} ≠ ${given.get(place) ?? '-'}`;
      differing.set(named, (differing.get(named) ?? 0) + 1);
    }
    if (isExact) exact += 1;
  }
  const worst = [...differing].sort(([, one], [, other]) => other - one).slice(0, 40);
  const summary = `${same} of ${all} fields, ${exact} of ${templates.length} templates, ${found} counts`;
  process.stdout.write(`${summary}\n${worst.map(([named, times]) => `${times} × ${named}`).join('\n')}\n`);
  expect(exact / templates.length).toBeGreaterThanOrEqual(0.99);
  expect(same / all).toBeGreaterThanOrEqual(0.99);
}, 300_000);

it('lists the links that Mailpit lists', async () => {
  for (const { html } of publicTemplates(20)) {
    const sent = await fetch(`${origin}/api/v1/send`, {
      method: 'POST',
      body: JSON.stringify({
        From: { Email: 'a@x.example' },
        To: [{ Email: 'b@x.example' }],
        Text: 'See <https://x.invalid/a b> or https://x.invalid/c.',
        HTML: html,
      }),
    });
    const { ID: id } = (await sent.json()) as { ID: string };
    const answer = (await (await fetch(`${origin}/api/v1/message/${id}/link-check`)).json()) as {
      Links: { URL: string }[];
    };
    const ours = checkLinksForMailpit({ html, text: 'See <https://x.invalid/a b> or https://x.invalid/c.' });
    expect(ours.Links.map(({ URL: url }) => url)).toEqual(answer.Links.map(({ URL: url }) => url));
  }
}, 120_000);
