// The root of a developer's service for people: leads to the page, with an inbox open.

import type { Answer } from '#http-parts/answer';

/** Answers with 200, which test containers wait for, and redirects browsers by its content. */
export function toHomePage(url: string): Answer {
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'",
      'cache-control': 'no-store',
    },
    body:
      '<!doctype html><html lang="en"><meta charset="utf-8"><title>Mayfly</title>' +
      `<meta http-equiv="refresh" content="0; url=${url}"><p><a href="${url}">Mayfly</a></p></html>\n`,
  };
}
