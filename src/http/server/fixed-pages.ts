// Pages served beside the operations: the OpenAPI document, the docs, and the front page, which is the web app for
// browsers and JSON for programs. Made once by add-routes.ts; independent of sessions.

import type { IncomingHttpHeaders } from 'node:http';

import type { Answer } from '#http-parts/answer';
import { wantsHtml } from '#http-parts/choose-coding';
import { openOnce } from '../../domain/open-once.ts';
import { jsonAnswer } from '../answers/success.ts';
import type { GeneratedPagesOptions } from '../docs/generated-pages.ts';
import { answerWebFile } from '#http-parts/static-file';

type Page = (headers: IncomingHttpHeaders) => Answer | Promise<Answer>;

/**
 * Returns pages by their path below the base path. Generated ones are made on the first request, by code that is loaded
 * then, to keep the start fast. The base path itself is `''`, and absent if empty.
 */
export function createFixedPages(options: GeneratedPagesOptions): Map<string, Page> {
  const { webApp } = options;
  return new Map<string, Page>([
    ...frontPages(options),
    ...[...(webApp?.files ?? [])].map(([path, file]): [string, Page] => [
      path,
      (headers) => answerWebFile(file, headers),
    ]),
    [
      '/openapi.json',
      openOnce(async () => (await import('../docs/generated-pages.ts')).makeDocument(options)),
    ],
    ...docsPages(options),
  ]);
}

function docsPages(options: GeneratedPagesOptions): [string, Page][] {
  const page = openOnce(async () => (await import('../docs/generated-pages.ts')).makeDocsPage(options));
  const style = openOnce(async () => (await import('../docs/generated-pages.ts')).makeDocsStyle(options));
  return [
    ['/docs', page],
    ['/docs/', page],
    ['/docs/style.css', style],
  ];
}

/** With a final slash and, below a base path, without. */
function frontPages({ version, basePath, webApp }: GeneratedPagesOptions): [string, Page][] {
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
