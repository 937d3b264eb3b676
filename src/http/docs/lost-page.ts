// Answers a browser that opens an unknown path: a page that says so and leads back. Programs get JSON, as everywhere.

import type { FastifyRequest } from 'fastify';

import { wantsHtml } from '#http-parts/choose-coding';
import { html } from '#http-parts/html';
import type { MayflyError } from '../../domain/mayfly-error.ts';
import type { ErrorAnswer } from '../answers/error-answer.ts';

/** Returns undefined for whatever is not such a request. `basePath`: '' or a path such as `/mail`. */
export function answerLost(
  error: MayflyError,
  request: FastifyRequest,
  basePath: string,
): ErrorAnswer | undefined {
  const { method, headers } = request;
  const isLost = error.code === 'not_found' && request.is404 && (method === 'GET' || method === 'HEAD');
  if (!isLost || !wantsHtml(headers.accept ?? '')) return undefined;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Page not found · Mayfly</title>
        <link rel="stylesheet" href="${basePath}/docs/style.css" />
        <link rel="icon" href="${basePath}/favicon.svg" />
      </head>
      <body class="lost">
        <main>
          <a class="brand" href="${basePath}/"><i class="mark"></i>Mayfly</a>
          <h1>There’s nothing here</h1>
          <p>The address may be mistyped, or the page has moved.</p>
          <p><a href="${basePath}/">Go to your inbox</a> · <a href="${basePath}/docs">API docs</a></p>
        </main>
      </body>
    </html> `;
  return {
    status: 404,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      vary: 'Accept',
    },
    body: page.markup,
  };
}
