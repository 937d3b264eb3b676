// Pages served beside the operations: the OpenAPI document, the docs, and the front page, which is the web app for
// browsers and JSON for programs. Made once by add-routes.ts; independent of sessions.

import type { IncomingHttpHeaders } from 'node:http';

import type { Answer } from '#http-parts/answer';
import { wantsHtml } from '#http-parts/choose-coding';
import { jsonAnswer } from '../answers/success.ts';
import { docsPolicy, renderDocsPage } from '../docs/docs-page.ts';
import { docsStyle } from '../docs/docs-style.ts';
import { createOpenApiDocument, interfaceDescription } from '../openapi/openapi-document.ts';
import type { Operation } from '../operation.ts';
import type { WebApp } from '../web-app/load-web-app.ts';
import { answerWebFile } from '#http-parts/static-file';

export interface FixedPagesOptions {
  readonly operations: readonly Operation[];
  readonly version: string;
  readonly basePath: string;
  readonly publicUrl: string;
  readonly webApp: WebApp | null;
}

type Page = (headers: IncomingHttpHeaders) => Answer;

/** Returns pages by their path below the base path. The base path itself is `''`, and absent if empty. */
export function createFixedPages(options: FixedPagesOptions): Map<string, Page> {
  const { webApp } = options;
  return new Map<string, Page>([
    ...frontPages(options),
    ...[...(webApp?.files ?? [])].map(([path, file]): [string, Page] => [
      path,
      (headers) => answerWebFile(file, headers),
    ]),
    ['/openapi.json', once(() => makeDocument(options))],
    ...docsPages(options),
  ]);
}

/** Generates the page on the first request, to keep the start fast. */
function once(make: () => Answer): Page {
  let answer: Answer | undefined;
  return () => (answer ??= make());
}

function makeDocument({ operations, version, basePath, publicUrl }: FixedPagesOptions): Answer {
  const document = createOpenApiDocument({ operations, version, baseUrl: publicUrl + basePath || '/' });
  return { headers: { 'cache-control': 'no-cache' }, body: `${JSON.stringify(document)}\n` };
}

function docsPages({ webApp, ...options }: FixedPagesOptions): [string, Page][] {
  const hasWebApp = webApp !== null;
  const headers = { 'cache-control': 'no-cache', 'content-security-policy': docsPolicy(hasWebApp) };
  const page = once(() => ({
    headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
    body: renderDocsPage({ ...options, hasWebApp, description: interfaceDescription }),
  }));
  const style: Answer = {
    headers: { ...headers, 'content-type': 'text/css; charset=utf-8' },
    body: docsStyle,
  };
  return [
    ['/docs', page],
    ['/docs/', page],
    ['/docs/style.css', () => style],
  ];
}

/** With a final slash and, below a base path, without. */
function frontPages({ version, basePath, webApp }: FixedPagesOptions): [string, Page][] {
  const about: Answer = {
    ...jsonAnswer({
      name: 'Mayfly',
      about: 'Temporary e-mail addresses: create a session, receive mail, read it.',
      version,
      docs: `${basePath}/docs`,
      openapi: `${basePath}/openapi.json`,
    }),
    ...(webApp ? { headers: { vary: 'Accept' } } : {}),
  };
  const forBrowsers = (browsers: Page): Page => {
    return (headers) => (webApp && wantsHtml(headers.accept ?? '') ? browsers(headers) : about);
  };
  const front = webApp ? forBrowsers((headers) => answerWebFile(webApp.page, headers)) : () => about;
  if (basePath === '') return [['/', front]];
  // The page refers to its files by relative URLs.
  const slashMissing: Answer = {
    status: 308,
    headers: { location: `${basePath}/`, vary: 'Accept' },
    body: null,
  };
  return [
    ['', forBrowsers(() => slashMissing)],
    ['/', front],
  ];
}
