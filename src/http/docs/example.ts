// Renders a JSON schema of ours as the object it describes, each value followed by its meaning.

import type { Schema } from '../json-schema.ts';

interface SchemaView {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaView[];
  readonly items?: SchemaView;
  readonly properties?: Readonly<Record<string, SchemaView>>;
  readonly description?: string;
}

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
