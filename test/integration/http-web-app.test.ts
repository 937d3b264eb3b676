// The page as the listener serves it: to browsers and to programs, with cache headers for both.
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { expect, inject, it } from 'vitest';

import { loadWebApp } from '#web-pages/load-web-app';
import { ask, type Harness, type HttpAnswer, startHttp } from './http-harness.ts';

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

function startWithApp(settings: { basePath?: string; publicUrl?: string } = {}): Promise<Harness> {
  const webApp = loadWebApp(path.join(inject('buildDir'), 'web'), settings.publicUrl ?? '');
  return startHttp({ settings, webApp });
}

/** Returns the files the page loads by itself, as named in it. */
function namedFiles(page: HttpAnswer): string[] {
  return [...page.text.matchAll(/(?:href=|src=|import\()["`]([^"`]+)["`]/g)].map(([, target]) => target!);
}

/** The source by which a policy allows the one element of this name that stands in the page itself. */
function hashOf(name: 'script' | 'style', page: string): string {
  const text = page.split(`<${name}>`)[1]!.split(`</${name}>`)[0]!;
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

it('serves browsers the page and programs JSON at the same URL', async () => {
  const harness = await startWithApp();
  const page = await ask(harness, '/', { headers: browser });
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.text).toContain('<div id="app">');
  const program = await ask(harness, '/', { headers: { accept: '*/*' } });
  expect([program.status, program.json.name]).toEqual([200, 'Mayfly']);
  expect([page.headers['vary'], program.headers['vary']]).toEqual(['Accept, Accept-Encoding', 'Accept']);
});

it('forbids the page everything it does not need', async () => {
  const harness = await startWithApp();
  const { headers, text } = await ask(harness, '/', { headers: browser });
  const policy = String(headers['content-security-policy']).split('; ');
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      `script-src 'self' ${hashOf('script', text)}`,
      `style-src 'self' ${hashOf('style', text)}`,
      "connect-src 'self'",
      "frame-src 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types mayfly-service-worker',
    ]),
  );
  expect(policy.join(';')).not.toMatch(/unsafe|\*|https?:|blob:/);
  expect(headers).toMatchObject({
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  });
  expect(headers['permissions-policy']).toMatch(/clipboard-write=\(self\).*camera=\(\).*geolocation=\(\)/);
  expect(headers['strict-transport-security']).toBeUndefined();
  const rest = ['script', 'style'].reduce((page, name) => page.replace(`<${name}>`, ''), text);
  expect(rest).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
});

it('serves the plain form of the page with the same policy, and without a script of its own', async () => {
  const harness = await startWithApp();
  const page = await ask(harness, '/', { headers: browser });
  const plain = await ask(harness, '/plain.html', { headers: browser });
  expect(plain.headers['content-security-policy']).toBe(page.headers['content-security-policy']);
  expect(plain.text).not.toMatch(/<style|<script>/);
  expect(plain.text).toMatch(/<script [^>]*src="\.\/assets\/index-[^"]+\.js">/);
});

it('requires TLS from then on where the service is reached by https', async () => {
  const harness = await startWithApp({ publicUrl: 'https://mail.example.org' });
  const { headers } = await ask(harness, '/', { headers: browser });
  expect(headers['strict-transport-security']).toBe('max-age=31536000');
});

it('lets files named by their content be cached for a year, and revalidates all others', async () => {
  const harness = await startWithApp();
  const page = await ask(harness, '/', { headers: browser });
  expect(page.headers['cache-control']).toBe('no-cache, no-transform');
  const files = namedFiles(page);
  expect(files.some((file) => file.startsWith('./assets/'))).toBe(true);
  for (const file of files) {
    const answer = await ask(harness, file.slice(1));
    const isHashed = file.startsWith('./assets/');
    const caching = isHashed ? 'public, max-age=31536000, immutable' : 'no-cache';
    const { 'cache-control': cacheControl, 'x-content-type-options': sniffing } = answer.headers;
    expect([file, answer.status, sniffing]).toEqual([file, 200, 'nosniff']);
    const isPage = file === './docs' || file === './plain.html';
    if (!isPage) expect([file, cacheControl]).toEqual([file, caching]);
  }
});

it('gives each file its type', async () => {
  const harness = await startWithApp();
  const types: Record<string, string> = {
    '/service-worker.js': 'text/javascript; charset=utf-8',
    '/docs-examples.js': 'text/javascript; charset=utf-8',
    '/manifest.webmanifest': 'application/manifest+json',
    '/favicon.svg': 'image/svg+xml',
    '/icon.svg': 'image/svg+xml',
    '/icon-192.png': 'image/png',
  };
  for (const [file, type] of Object.entries(types)) {
    const { status, headers } = await ask(harness, file);
    expect([file, status, headers['content-type']]).toEqual([file, 200, type]);
  }
});

it('sends files compressed at the build, and the original bytes to clients that refuse it', async () => {
  const harness = await startWithApp();
  const plain = await ask(harness, '/', { headers: browser });
  const script = namedFiles(plain)
    .find((file) => file.endsWith('.js'))!
    .slice(1);
  const whole = await ask(harness, script);
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
  for (const [coding, decode] of Object.entries(decoders)) {
    const answer = await ask(harness, script, { headers: { 'accept-encoding': `deflate, ${coding};q=0.5` } });
    expect(answer.headers).toMatchObject({ 'content-encoding': coding, vary: 'Accept-Encoding' });
    expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
    expect(decode(answer.bytes).equals(whole.bytes)).toBe(true);
    expect(answer.bytes.length).toBeLessThan(whole.bytes.length / 2);
    expect(answer.headers['etag']).not.toBe(whole.headers['etag']);
  }
  const refused = await ask(harness, script, { headers: { 'accept-encoding': 'br;q=0, gzip;q=0.0' } });
  expect([refused.headers['content-encoding'], refused.bytes.equals(whole.bytes)]).toEqual([undefined, true]);
});

it('returns 304 for its tag, and HEAD with the fields alone', async () => {
  const harness = await startWithApp();
  for (const [target, headers] of [
    ['/', { ...browser, 'accept-encoding': 'br' }],
    ['/icon.svg', {}],
    ['/service-worker.js', { 'accept-encoding': 'gzip' }],
  ] as const) {
    const first = await ask(harness, target, { headers });
    const etag = String(first.headers['etag']);
    const again = await ask(harness, target, {
      headers: { ...headers, 'if-none-match': `"other", ${etag}` },
    });
    expect([target, again.status, again.bytes.length, again.headers['etag']]).toEqual([target, 304, 0, etag]);
    expect(again.headers['content-security-policy']).toBe(first.headers['content-security-policy']);
    const head = await ask(harness, target, { method: 'HEAD', headers });
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect(head.headers['content-length']).toBe(String(first.bytes.length));
    expect(head.headers['content-type']).toBe(first.headers['content-type']);
  }
});

it('works under a base path, where every file it names exists', async () => {
  const harness = await startWithApp({ basePath: '/mail' });
  const bare = await ask(harness, '/mail', { headers: browser });
  expect([bare.status, bare.headers['location']]).toEqual([308, '/mail/']);
  expect((await ask(harness, '/mail')).json.name).toBe('Mayfly');
  const page = await ask(harness, '/mail/', { headers: browser });
  for (const file of namedFiles(page)) {
    expect(file).toMatch(/^\.\//);
    expect([file, (await ask(harness, `/mail${file.slice(1)}`)).status]).toEqual([file, 200]);
  }
  const manifest = (await ask(harness, '/mail/manifest.webmanifest')).json;
  expect([manifest.start_url, manifest.scope]).toEqual(['./', './']);
  for (const { src } of manifest.icons) expect((await ask(harness, `/mail/${src}`)).status).toBe(200);
  expect((await ask(harness, '/', { headers: browser })).status).toBe(404);
  expect((await ask(harness, '/icon.svg')).status).toBe(404);
});

it('shows browsers a page at every other path, and leaks nothing of the build folder', async () => {
  const harness = await startWithApp();
  for (const target of [
    '/nope',
    '/index.html',
    '/assets/',
    '/assets/nope.js',
    '/.vite/manifest.json',
    '/icon.svg.gz',
    '/assets/../../main.js',
    '/assets/%2e%2e/%2e%2e/main.js',
  ]) {
    const answer = await ask(harness, target, { headers: browser });
    expect([target, answer.status, answer.headers.vary]).toEqual([target, 404, 'Accept']);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect(answer.text).toContain('There’s nothing here');
    expect(answer.text).not.toContain(target);
    const program = await ask(harness, target);
    expect([program.status, program.json.code]).toEqual([404, 'not_found']);
  }
  const unknown = await ask(harness, '/read-mail?id=1', { headers: browser });
  expect([unknown.status, unknown.json.code]).toEqual([401, 'missing_token']);
  const posted = await ask(harness, '/icon.svg', { method: 'POST' });
  expect([posted.status, posted.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

it('serves everyone JSON when the operator has switched the page off', async () => {
  const harness = await startHttp();
  const front = await ask(harness, '/', { headers: browser });
  expect([front.status, front.json.name, front.headers['vary']]).toEqual([200, 'Mayfly', undefined]);
  expect((await ask(harness, '/service-worker.js')).status).toBe(404);
  const docs = await ask(harness, '/docs', { headers: browser });
  expect(docs.text).not.toContain('<script');
  expect(docs.headers['content-security-policy']).not.toContain('script-src');
});

it('lets the docs load our script beside the page', async () => {
  const harness = await startWithApp({ basePath: '/mail' });
  const docs = await ask(harness, '/mail/docs');
  expect(docs.headers['content-security-policy']).toContain("script-src 'self'");
  const scripts = [...docs.text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
  expect(scripts).toEqual(['<script type="module" src="/mail/docs-examples.js">']);
  expect((await ask(harness, '/mail/docs-examples.js')).status).toBe(200);
  expect(docs.text).toContain('$TOKEN');
});

it('refuses to start with a folder without the page', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-no-page-'));
  expect(() => loadWebApp(folder, '')).toThrow('contains no page');
  await rm(folder, { recursive: true });
});
