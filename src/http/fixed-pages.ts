// What is served beside the operations and is the same for every request: the document, the docs, the front page.

import { type Answer, jsonAnswer } from './answer.ts';
import { docsPolicy, renderDocsPage } from './docs/docs-page.ts';
import { docsStyle } from './docs/docs-style.ts';
import { createOpenApiDocument, interfaceDescription } from './openapi/openapi-document.ts';
import type { Operation } from './operation.ts';

export interface FixedPagesOptions {
  readonly operations: readonly Operation[];
  readonly version: string;
  readonly basePath: string;
  readonly publicUrl: string;
}

/** Path under the base path → its answer. */
export function createFixedPages({
  operations,
  version,
  basePath,
  publicUrl,
}: FixedPagesOptions): Map<string, Answer> {
  const baseUrl = publicUrl + basePath || '/';
  const document = createOpenApiDocument({ operations, version, baseUrl });
  const docs = renderDocsPage({ operations, version, basePath, description: interfaceDescription });
  const cached = { 'cache-control': 'no-cache', 'content-security-policy': docsPolicy };
  const docsPage: Answer = { headers: { ...cached, 'content-type': 'text/html; charset=utf-8' }, body: docs };
  return new Map<string, Answer>([
    [
      '/',
      jsonAnswer({
        name: 'Mayfly',
        about: 'Temporary e-mail addresses: create a session, let mail come, read it.',
        version,
        docs: `${basePath}/docs`,
        openapi: `${basePath}/openapi.json`,
      }),
    ],
    ['/openapi.json', { headers: { 'cache-control': 'no-cache' }, body: JSON.stringify(document) }],
    ['/docs', docsPage],
    ['/docs/', docsPage],
    [
      '/docs/style.css',
      { headers: { ...cached, 'content-type': 'text/css; charset=utf-8' }, body: docsStyle },
    ],
  ]);
}
