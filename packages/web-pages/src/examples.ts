// The examples of the docs page: the request by curl, and the answer as the object that its JSON schema describes.

import { type Html, html } from '../../http-parts/src/html.ts';
import type { Parameter } from '../../values/src/parameter.ts';
import type { Schema } from '../../http-parts/src/json-schema.ts';
import type { DescribedOperation } from './described-interface.ts';

const eventStream = 'text/event-stream';

/**
 * Returns the request by curl. Where the page may run its script, that inserts the reader's origin and token; otherwise
 * `$TOKEN` is a shell variable. `baseUrl`: prefix of the paths.
 */
export function renderCurl(operation: DescribedOperation, baseUrl: string): Html {
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

function requiredPairs({ parameters }: DescribedOperation): string[] {
  return Object.entries<Parameter>(parameters)
    .filter(([, parameter]) => parameter.required)
    .map(([name, { kind }]) => `${name}=${kind === 'text' ? name.toUpperCase() : 1}`);
}

interface SchemaView {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaView[];
  readonly items?: SchemaView;
  readonly properties?: Readonly<Record<string, SchemaView>>;
  readonly description?: string;
}

/** Returns the object that the schema describes, each value followed by its meaning. */
export function toExample(schema: Schema): string {
  return write(schema, '');
}

function write(schema: SchemaView, indent: string): string {
  if (schema.properties) {
    const inner = `${indent}  `;
    const members = Object.entries(schema.properties).map(([name, member]) => {
      const comment =
        member.description === undefined || member.description === '' ? '' : `  // ${member.description}`;
      const value = write(member, inner);
      return value.includes('\n') ? `${inner}"${name}": ${value},` : `${inner}"${name}": ${value},${comment}`;
    });
    return `{\n${members.join('\n')}\n${indent}}`;
  }
  if (schema.items) return `[${write(schema.items, indent)}, …]`;
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((one) => write(one, indent)).join(' | ');
  return schema.const === undefined ? (schema.type ?? 'any') : JSON.stringify(schema.const);
}
