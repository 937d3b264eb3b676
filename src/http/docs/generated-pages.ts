// The pages made from the operations: the OpenAPI document, and the docs with their style. Loaded with the first request
// for one of them.

import type { Answer } from '#http-parts/answer';
import { createOpenApiDocument, interfaceDescription } from '../openapi/openapi-document.ts';
import type { Operation } from '../operation.ts';
import type { WebApp } from '../web-app/load-web-app.ts';
import { docsPolicy, renderDocsPage } from './docs-page.ts';
import { docsStyle } from './docs-style.ts';

export interface GeneratedPagesOptions {
  readonly operations: readonly Operation[];
  readonly version: string;
  readonly basePath: string;
  readonly publicUrl: string;
  readonly webApp: WebApp | null;
}

export function makeDocument({ operations, version, basePath, publicUrl }: GeneratedPagesOptions): Answer {
  const document = createOpenApiDocument({ operations, version, baseUrl: publicUrl + basePath || '/' });
  return { headers: { 'cache-control': 'no-cache' }, body: `${JSON.stringify(document)}\n` };
}

export function makeDocsPage(options: GeneratedPagesOptions): Answer {
  const hasWebApp = options.webApp !== null;
  return {
    headers: { ...headersOf(options), 'content-type': 'text/html; charset=utf-8' },
    body: renderDocsPage({ ...options, hasWebApp, description: interfaceDescription }),
  };
}

export function makeDocsStyle(options: GeneratedPagesOptions): Answer {
  return {
    headers: { ...headersOf(options), 'content-type': 'text/css; charset=utf-8' },
    body: docsStyle,
  };
}

function headersOf({ webApp }: GeneratedPagesOptions): Record<string, string> {
  return { 'cache-control': 'no-cache', 'content-security-policy': docsPolicy(webApp !== null) };
}
