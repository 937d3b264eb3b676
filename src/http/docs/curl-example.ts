// Curl examples of operations for the docs page. Where the page may run its script, that inserts the reader's origin
// and token; otherwise `$TOKEN` is a shell variable.

import type { Operation } from '../operation.ts';
import type { Parameter } from '../../domain/parameter.ts';
import { type Html, html } from './html.ts';

const eventStream = 'text/event-stream';

/** `baseUrl`: prefix of the paths. */
export function renderCurl(operation: Operation, baseUrl: string): Html {
  const { method, path, access, answers } = operation;
  const pairs = requiredPairs(operation).join('&');
  const isGet = method === 'GET';
  const query = isGet && pairs !== '' ? `?${pairs}` : '';
  const body = !isGet && pairs !== '' ? ` -d '${pairs}'` : '';
  const quietly = answers === eventStream ? 'curl -sN' : 'curl -s';
  return html`<pre tabindex="0">
${quietly}${isGet ? '' : ' -X POST'}${access === 'session' ? tokenField : ''}${body} '${html`<span data-base>${baseUrl}</span>`}${path}${query}'</pre>`;
}

const tokenField = html` -H "Authorization: Bearer ${html`<span data-token>$TOKEN</span>`}"`;

function requiredPairs({ parameters }: Operation): string[] {
  return Object.entries<Parameter>(parameters)
    .filter(([, parameter]) => parameter.required)
    .map(([name, { kind }]) => `${name}=${kind === 'text' ? name.toUpperCase() : 1}`);
}
