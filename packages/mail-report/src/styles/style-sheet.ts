// Reads the rules of a style sheet, and the declarations of a `style` attribute, as Mailpit's HTML check does: rules
// within at-rules are left aside, because it does not apply them to elements.
import { CssScanner, type CssToken } from './css-scanner.ts';

export interface Declaration {
  /** As written. */
  readonly property: string;
  readonly value: string;
  readonly isImportant: boolean;
}

export interface StyleRule {
  /** Perhaps several, with commas. */
  readonly selector: string;
  readonly declarations: readonly Declaration[];
}

/** At-rules that hold rules. */
const nesting = new Set(['@media', '@keyframes', '@-webkit-keyframes']);
/** At-rules that hold declarations. */
const declaring = new Set(['@font-face', '@page', '@counter-style']);
/** At-rules without a block. */
const plain = new Set(['@import', '@charset']);

export function readStyleSheet(css: string): StyleRule[] {
  const scanner = new CssScanner(css);
  const rules: StyleRule[] = [];
  let isNested = false;
  let opensNested = false;
  for (let token = scanner.next(); token.kind !== 'end'; token = scanner.next()) {
    if (token.kind === 'mark' || token.kind === 'comment' || token.kind === 'space') continue;
    if (token.kind === 'keyword') {
      if (nesting.has(token.text)) opensNested = true;
      else {
        opensNested = false;
        if (declaring.has(token.text)) readRule(scanner, undefined);
        else if (!plain.has(token.text)) skipBlock(scanner);
        else if (!skipStatement(scanner)) break;
      }
    } else if (token.text === '}' && isNested) isNested = false;
    else if (opensNested) {
      readSelector(scanner, token);
      isNested = true;
      opensNested = false;
    } else {
      const rule = readRule(scanner, token);
      if (!isNested) rules.push(rule);
    }
  }
  return rules;
}

export function readDeclarations(css: string): Declaration[] {
  return readBlock(new CssScanner(css));
}

function readRule(scanner: CssScanner, first: CssToken | undefined): StyleRule {
  const selector = readSelector(scanner, first);
  return { selector, declarations: readBlock(scanner) };
}

function readSelector(scanner: CssScanner, first: CssToken | undefined): string {
  let text = first?.text ?? '';
  for (let token = scanner.next(); token.kind !== 'end' && token.text !== '{'; token = scanner.next()) {
    if (token.kind !== 'comment' && token.kind !== 'keyword' && token.kind !== 'mark') text += token.text;
  }
  return text.trim();
}

function readBlock(scanner: CssScanner): Declaration[] {
  const declarations: Declaration[] = [];
  let state: 'none' | 'property' | 'value' = 'none';
  let [property, value, isImportant] = ['', '', false];
  const finish = (): void => {
    declarations.push({ property, value: value.trim(), isImportant });
    [property, value, isImportant] = ['', '', false];
  };
  for (;;) {
    const token = scanner.next();
    switch (token.kind) {
      case 'end':
        if (state === 'value') finish();
        return declarations;
      case 'space':
        if (state === 'value') value += token.text;
        break;
      case 'ident':
        if (state === 'none') {
          state = 'property';
          property += token.text;
        } else if (token.text === 'important') isImportant = true;
        else value += token.text;
        break;
      case 'char':
        if (state === 'none' && token.text === '{') break;
        if (state === 'property') {
          if (token.text === ':') state = 'value';
          break;
        }
        if (token.text === ';') {
          finish();
          state = 'none';
        } else if (token.text === '}') {
          if (state === 'value') finish();
          return declarations;
        } else if (token.text !== '!') value += token.text;
        break;
      case 'comment':
      case 'keyword':
      case 'edge':
      case 'mark':
        break;
      default:
        value += token.text;
    }
  }
}

/** Skips an at-rule that is not known, with its block. */
function skipBlock(scanner: CssScanner): void {
  let open = 0;
  for (let token = scanner.next(); token.kind !== 'end'; token = scanner.next()) {
    if (token.kind !== 'char' || (token.text !== '{' && token.text !== '}')) continue;
    open += token.text === '{' ? 1 : -1;
    if (open <= 0) return;
  }
}

/** Returns false when the sheet ends before the semicolon. */
function skipStatement(scanner: CssScanner): boolean {
  for (let token = scanner.next(); token.kind !== 'end'; token = scanner.next()) {
    if (token.text === ';') return true;
  }
  return false;
}
