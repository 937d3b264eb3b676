// The fields of a call as the type definitions of its published client document them: every member, also of objects
// within, with a value by which it can be recognized.

import { existsSync } from 'node:fs';
import path from 'node:path';

import ts from 'typescript';

const packages = path.resolve('node_modules/.test-clients/node_modules');

export interface DocumentedField {
  /** Such as `attachments.0.contentId`; any key of a map is `key`. */
  readonly path: string;
  readonly kind: 'text' | 'number' | 'boolean' | 'literal' | 'bytes' | 'any';
  /** For a literal. */
  readonly value?: string | number | undefined;
}

export interface DocumentedCall {
  /** The file of the package that declares the type. */
  readonly file: string;
  readonly type: string;
}

const bytesNames = /^(?:Buffer|Uint8Array|ArrayBuffer|Blob|File|Readable|ReadableStream)$/;
const depthMax = 12;

export function documentedFields<C extends DocumentedCall>(
  calls: readonly C[],
): ReadonlyMap<C, readonly DocumentedField[]> {
  const files = calls.map(({ file }) => path.join(packages, file));
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined) throw new Error(`Not installed: ${missing}`);
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    skipLibCheck: true,
    types: ['node'],
  });
  const checker = program.getTypeChecker();
  return new Map(
    calls.map((call, at) => [call, fieldsOf(checker, typeOf(program, files[at] ?? '', call.type))] as const),
  );
}

function typeOf(program: ts.Program, file: string, name: string): ts.Type {
  const source = program.getSourceFile(file);
  const checker = program.getTypeChecker();
  const module = source && checker.getSymbolAtLocation(source);
  const symbol = module && checker.getExportsOfModule(module).find((one) => one.name === name);
  if (!symbol) throw new Error(`${file} exports no ${name}.`);
  const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  return checker.getDeclaredTypeOfSymbol(isAlias ? checker.getAliasedSymbol(symbol) : symbol);
}

function fieldsOf(checker: ts.TypeChecker, whole: ts.Type): readonly DocumentedField[] {
  const fields = new Map<string, DocumentedField>();

  function add(steps: readonly string[], field: Omit<DocumentedField, 'path'>): void {
    const name = steps.join('.');
    const id = `${name} ${field.kind === 'literal' ? String(field.value) : field.kind}`;
    fields.set(id, { path: name, ...field });
  }

  function walk(type: ts.Type, steps: readonly string[], within: readonly ts.Type[]): void {
    const { flags } = type;
    if (within.includes(type) || within.length > depthMax) return;
    if (type.isUnion()) for (const one of type.types) walk(one, steps, within);
    else if (type.isStringLiteral() || type.isNumberLiteral()) {
      add(steps, { kind: 'literal', value: type.value });
    } else if (flags & ts.TypeFlags.StringLike) add(steps, { kind: 'text' });
    else if (flags & ts.TypeFlags.NumberLike) add(steps, { kind: 'number' });
    else if (flags & ts.TypeFlags.BooleanLike) add(steps, { kind: 'boolean' });
    else if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) add(steps, { kind: 'any' });
    else if (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) walkObject(type, steps, within);
  }

  function walkObject(type: ts.Type, steps: readonly string[], within: readonly ts.Type[]): void {
    const inner = [...within, type];
    const ownName = type.symbol?.name ?? '';
    if (bytesNames.test(ownName)) {
      add(steps, { kind: 'bytes' });
      return;
    }
    const list = (type.isIntersection() ? type.types : [type]).find((one) => checker.isArrayLikeType(one));
    if (list) {
      const [element] = checker.getTypeArguments(list as ts.TypeReference);
      if (element) walk(element, [...steps, '0'], inner);
      return;
    }
    const properties = checker.getPropertiesOfType(type);
    for (const property of properties) {
      const member = checker.getTypeOfSymbol(property);
      if (member.getCallSignatures().length === 0) walk(member, [...steps, property.name], inner);
    }
    const index = checker.getIndexInfoOfType(type, ts.IndexKind.String);
    if (index) walk(index.type, [...steps, 'key'], inner);
    if (properties.length === 0 && !index && steps.length > 0) add(steps, { kind: 'any' });
  }

  walk(whole, [], []);
  return [...fields.values()];
}
