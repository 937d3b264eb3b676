// Renders the interface at /docs as a single page from the operations. It needs no script or other host, and its
// policy allows only our own files. With the web app it loads one script of ours, which inserts the reader's session
// into the examples.

import { type Html, html, moduleScript, prose } from '#http-parts/html';
import { errorCatalogue } from '../../domain/error-catalogue.ts';
import { errorsOf } from '../openapi/openapi-responses.ts';
import { type Operation, type OperationTag, operationTags } from '../operation.ts';
import { describeKind, type Parameter } from '../../domain/parameter.ts';
import { allParameters } from '../parameters/all-parameters.ts';
import { renderCurl, toExample } from './examples.ts';

export interface DocsOptions {
  readonly operations: readonly Operation[];
  readonly version: string;
  /** '' or a path such as `/mail`. */
  readonly basePath: string;
  /** An origin, or ''. */
  readonly publicUrl: string;
  /** The document's description. */
  readonly description: string;
  /** Whether the web app is served too. */
  readonly hasWebApp: boolean;
}

/** One of the web app's files. */
const scriptPath = '/docs-examples.js';
/** The default address of the service; the script replaces it. */
const defaultOrigin = 'http://127.0.0.1:8080';

export function docsPolicy(hasWebApp: boolean): string {
  const scripts = hasWebApp
    ? "script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; "
    : '';
  return `default-src 'none'; style-src 'self'; ${scripts}base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

export function renderDocsPage(options: DocsOptions): string {
  const { operations, version, basePath, publicUrl, description, hasWebApp } = options;
  const baseUrl = (publicUrl || defaultOrigin) + basePath;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Mayfly interface ${version}</title>
        <link rel="stylesheet" href="${basePath}/docs/style.css" />
        ${hasWebApp ? moduleScript(basePath + scriptPath) : ''}
      </head>
      <body>
        <nav aria-label="Operations">
          ${Object.keys(operationTags).map((tag) => renderGroup(tag as OperationTag, operations))}
          <ul>
            <li><a href="#errors">Errors</a></li>
          </ul>
        </nav>
        <main>
          <h1>Mayfly <small>${version}</small></h1>
          ${description.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p> `)}
          <p><a href="${basePath}/openapi.json">OpenAPI 3.1 document</a></p>
          ${hasWebApp ? renderReader(basePath) : ''}
          ${operations.map((operation) => renderOperation(operation, { basePath, baseUrl }))}
          ${renderErrors()}
        </main>
      </body>
    </html> `;
  return page.markup;
}

function renderGroup(tag: OperationTag, operations: readonly Operation[]): Html {
  return html`<h2>${tag}</h2>
    <ul>
      ${operations.filter((operation) => operation.tag === tag).map(renderEntry)}
    </ul> `;
}

function renderEntry({ name, method, path }: Operation): Html {
  return html`<li>
    <a href="#${name}"><b>${method}</b> ${path}</a>
  </li> `;
}

/** Shown by the script when it has inserted a session. */
function renderReader(basePath: string): Html {
  return html`<p data-filled hidden>
    The examples hold the token of <b data-address></b>, the address open in
    <a href="${basePath}/">this browser</a>. Anyone with the token can read its mail.
  </p> `;
}

interface DocsAddress {
  readonly basePath: string;
  readonly baseUrl: string;
}

function renderOperation(operation: Operation, { basePath, baseUrl }: DocsAddress): Html {
  const { name, method, path, summary, description } = operation;
  return html`<section id="${name}">
    <h2><b>${method}</b> ${basePath}${path}</h2>
    <p>${prose(summary)}.${description === undefined ? '' : html` ${prose(description)}`}</p>
    ${renderCurl(operation, baseUrl)} ${renderParameters(operation)}
    <h3>Answer</h3>
    ${renderAnswer(operation)}
    <h3>Errors</h3>
    <p>${errorsOf(operation).map((code) => html`<a href="#error-${code}"><code>${code}</code></a> `)}</p>
  </section> `;
}

function renderParameters(operation: Operation): Html {
  const entries = Object.entries<Parameter>(allParameters(operation));
  if (entries.length === 0) return html`<p>No parameters.</p>`;
  const rows = entries.map(
    ([name, parameter]) =>
      html`<tr>
        <td><code>${name}</code>${parameter.required ? ' (required)' : ''}</td>
        <td>${describeKind(parameter)}</td>
        <td>${prose(parameter.description)}</td>
      </tr> `,
  );
  return html`<h3>Parameters</h3>
    <table>
      <thead>
        <tr>
          <th>name</th>
          <th>value</th>
          <th>meaning</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>`;
}

function renderAnswer({ answers }: Operation): Html {
  if (typeof answers === 'string') return html`<p><code>${answers}</code>, to be saved.</p>`;
  return html`<pre tabindex="0">${toExample(answers)}</pre>`;
}

function renderErrors(): Html {
  const rows = Object.entries(errorCatalogue).map(
    ([code, { http, when }]) =>
      html`<tr id="error-${code}">
        <td><code>${code}</code></td>
        <td>${http}</td>
        <td>${prose(when)}</td>
      </tr> `,
  );
  return html`<section id="errors">
    <h2>Errors</h2>
    <table>
      <thead>
        <tr>
          <th>code</th>
          <th>status</th>
          <th>when</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </section>`;
}
