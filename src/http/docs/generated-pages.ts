// The pages made from the operations: the OpenAPI document, and the docs with their style. Loaded with the first request
// for one of them.

import type { Answer } from '#http-parts/answer';
import { createOpenApiDocument } from '#web-pages/openapi-document';
import type { Operation } from '../operation.ts';
import type { WebApp } from '#web-pages/load-web-app';
import { docsPolicy, renderDocsPage } from '#web-pages/docs-page';
import { docsStyle } from '#web-pages/docs-style';
import { describeInterface } from './describe-interface.ts';

export interface GeneratedPagesOptions {
  readonly operations: readonly Operation[];
  readonly version: string;
  readonly basePath: string;
  readonly publicUrl: string;
  readonly webApp: WebApp | null;
}

export function makeDocument({ operations, version, basePath, publicUrl }: GeneratedPagesOptions): Answer {
  const described = describeInterface(operations, version);
  const document = createOpenApiDocument(described, publicUrl + basePath || '/');
  return { headers: { 'cache-control': 'no-cache' }, body: `${JSON.stringify(document)}\n` };
}

export function makeDocsPage(options: GeneratedPagesOptions): Answer {
  const { operations, version, webApp } = options;
  const hasWebApp = webApp !== null;
  return {
    headers: { ...headersOf(options), 'content-type': 'text/html; charset=utf-8' },
    body: renderDocsPage(describeInterface(operations, version), { ...options, hasWebApp }),
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
