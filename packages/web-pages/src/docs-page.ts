// Renders the interface at /docs as a single page from the operations. It needs no script or other host, and its
// policy allows only our own files. With the web app it loads one script of ours, which inserts the reader's session
// into the examples and lets the reader try the operations.

import { type Html, html, moduleScript, prose } from '../../http-parts/src/html.ts';
import type { DescribedInterface, DescribedOperation } from './described-interface.ts';
import { describeKind, type Parameter } from '../../values/src/parameter.ts';
import { renderCurl, toExample } from './examples.ts';

export interface DocsOptions {
  /** '' or a path such as `/mail`. */
  readonly basePath: string;
  /** An origin, or ''. */
  readonly publicUrl: string;
  /** Whether the web app is served too. */
  readonly hasWebApp: boolean;
}

/** One of the web app's files. */
const scriptPath = '/docs-examples.js';
/** The default address of the service; the script replaces it. */
const defaultOrigin = 'http://127.0.0.1:8080';

export function docsPolicy(hasWebApp: boolean): string {
  const scripts = hasWebApp
    ? "script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; "
    : '';
  return `default-src 'none'; style-src 'self'; img-src 'self'; ${scripts}base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

interface Group {
  readonly title: string;
  readonly about: string;
  readonly operations: readonly DescribedOperation[];
}

function toGroups({ operations, firstOnes, tags }: DescribedInterface): readonly Group[] {
  const first = firstOnes.flatMap((name) => operations.find((operation) => operation.name === name) ?? []);
  const rest = operations.filter((operation) => !first.includes(operation));
  const groups = Object.entries(tags).map(([title, about]) => ({
    title,
    about,
    operations: rest.filter(({ tag }) => tag === title),
  }));
  const about = 'An address, its mail, and nothing else: enough for most programs.';
  return [{ title: 'The first five', about, operations: first }, ...groups].filter(
    (group) => group.operations.length > 0,
  );
}

export function renderDocsPage(described: DescribedInterface, options: DocsOptions): string {
  const { basePath, publicUrl, hasWebApp } = options;
  const { title, version, description, errors } = described;
  const baseUrl = (publicUrl || defaultOrigin) + basePath;
  const groups = toGroups(described);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} API</title>
        <link rel="stylesheet" href="${basePath}/docs/style.css" />
        ${hasWebApp ? html`<link rel="icon" href="${basePath}/favicon.svg" />` : ''}
        ${hasWebApp ? moduleScript(basePath + scriptPath) : ''}
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header class="top">
          <a class="brand" href="${basePath}/"><i class="${hasWebApp ? 'mark' : ''}"></i>${title}</a>
          <span>API ${version}</span>
          <a href="${basePath}/openapi.json">OpenAPI 3.1</a>
        </header>
        <nav aria-label="Operations">
          ${groups.map(renderEntries)}
          <ul>
            <li><a href="#errors">Errors</a></li>
          </ul>
        </nav>
        <main id="content">
          <h1>API</h1>
          ${description.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p> `)}
          ${hasWebApp ? renderReader(basePath) : ''}
          ${groups.map((group) => renderGroup(group, { basePath, baseUrl }))} ${renderErrors(errors)}
        </main>
      </body>
    </html> `;
  return page.markup;
}

function renderEntries({ title, operations }: Group): Html {
  return html`<h2>${title}</h2>
    <ul>
      ${operations.map(
        ({ name, method, path }) =>
          html`<li>
            <a href="#${name}"><b class="is-${method.toLowerCase()}">${method}</b> ${path.slice(1)}</a>
          </li> `,
      )}
    </ul> `;
}

function renderGroup({ title, about, operations }: Group, address: DocsAddress): Html {
  return html`<h2 class="group">${title}</h2>
    <p>${about}</p>
    ${operations.map((operation) => renderOperation(operation, address))}`;
}

/** Shown by the script: when it has inserted a session, and where one can be had for trying. */
function renderReader(basePath: string): Html {
  return html`<p class="note" data-filled hidden>
      The examples hold the token of <b data-address></b>, the address open in
      <a href="${basePath}/">this browser</a>. Anyone with the token can read its mail.
    </p>
    <p class="note" data-trying hidden>
      <button type="button" data-start>Get a session to try with</button>
      <span data-own role="status"
        >A new address of its own, so that nothing of yours is read or deleted.</span
      >
    </p> `;
}

interface DocsAddress {
  readonly basePath: string;
  readonly baseUrl: string;
}

function renderOperation(operation: DescribedOperation, { basePath, baseUrl }: DocsAddress): Html {
  const { name, method, path, summary, description } = operation;
  return html`<section
    id="${name}"
    data-method="${method}"
    data-path="${path}"
    data-access="${operation.access}"
  >
    <h3 class="operation"><b class="is-${method.toLowerCase()}">${method}</b> ${basePath}${path}</h3>
    <p>${prose(summary)}.${description === undefined ? '' : html` ${prose(description)}`}</p>
    ${renderCurl(operation, baseUrl)} ${renderParameters(operation)}
    <h4>Answer</h4>
    ${renderAnswer(operation)}
    <h4>Errors</h4>
    <p>${operation.errors.map((code) => html`<a href="#error-${code}"><code>${code}</code></a> `)}</p>
  </section> `;
}

function renderParameters(operation: DescribedOperation): Html {
  const entries = Object.entries<Parameter>(operation.allParameters);
  if (entries.length === 0) return html`<p>No parameters.</p>`;
  const rows = entries.map(
    ([name, parameter]) =>
      html`<tr data-parameter="${name}">
        <td><code>${name}</code>${parameter.required ? ' (required)' : ''}</td>
        <td>${describeKind(parameter)}</td>
        <td>${prose(parameter.description)}</td>
      </tr> `,
  );
  return html`<h4>Parameters</h4>
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

function renderAnswer({ answers }: DescribedOperation): Html {
  if (typeof answers === 'string') return html`<p><code>${answers}</code>, to be saved.</p>`;
  return html`<pre tabindex="0">${toExample(answers)}</pre>`;
}

function renderErrors(errors: DescribedInterface['errors']): Html {
  const rows = Object.entries(errors).map(
    ([code, { http, when }]) =>
      html`<tr id="error-${code}">
        <td><code>${code}</code></td>
        <td>${http}</td>
        <td>${prose(when)}</td>
      </tr> `,
  );
  return html`<section id="errors">
    <h2 class="group">Errors</h2>
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
