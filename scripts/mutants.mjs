// Lists the mutants of a source file, small changes of behaviour that a test should notice, and writes them into it
// behind a switch, so that one build holds all of them. Called by scripts/mutate.mjs; reads and writes no files.
import ts from 'typescript';

/**
 * @typedef {object} Mutant
 * @property {string} file
 * @property {number} line from 1
 * @property {number} start offset of the expression it replaces
 * @property {number} end
 * @property {string} original
 * @property {string} replacement
 */
/** @typedef {Mutant & { id: number }} NumberedMutant */
/** @typedef {{ node: ts.Node, replacement: string }} Change */

/** Numbers from here on are sizes and times, of which one more or less is hardly ever another behaviour. */
const largeNumber = 1000;
const loggedOrThrown = /(^|\.|#)(log|logger)\.|Error$/;

/** @type {ReadonlyMap<ts.SyntaxKind, string>} */
const swappedOperators = new Map([
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
]);

/**
 * Returns the mutants of a file in the order of its syntax tree.
 * @param {string} file
 * @param {string} text
 * @returns {Mutant[]}
 */
export function listMutants(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  /** @type {Mutant[]} */
  const mutants = [];
  ts.forEachChild(source, visit);
  return mutants;

  /** @param {ts.Node} node */
  function visit(node) {
    if (ts.isTypeNode(node) || isDeclarationOnly(node)) return;
    for (const { node: changed, replacement } of changesOf(node)) {
      const [start, end] = [changed.getStart(source), changed.getEnd()];
      const line = source.getLineAndCharacterOfPosition(start).line + 1;
      mutants.push({ file, line, start, end, original: text.slice(start, end), replacement });
    }
    ts.forEachChild(node, visit);
  }
}

/**
 * Writes mutants into the text they were listed from. The one that is on takes the place of its expression.
 * @param {string} text
 * @param {readonly NumberedMutant[]} mutants
 * @param {string} switchModule the specifier of the module that exports `isMutant(id)`
 * @returns {string}
 */
export function writeMutants(text, mutants, switchModule) {
  const closings = mutants.map(({ end }) => ({ at: end, size: 0, insert: ')' }));
  const openings = mutants.map(({ id, start, end, replacement }) => ({
    at: start,
    size: end - start,
    insert: `(isMutant$(${id}) ? ${replacement} : `,
  }));
  // Where several begin, the longest encloses the others.
  const inserts = [...closings, ...openings].sort((a, b) => a.at - b.at || sizeOrder(a) - sizeOrder(b));
  let [written, done] = [`import { isMutant as isMutant$ } from '${switchModule}'; `, 0];
  for (const { at, insert } of inserts) {
    written += text.slice(done, at) + insert;
    done = at;
  }
  return written + text.slice(done);
}

/** @param {{ size: number }} insert */
function sizeOrder({ size }) {
  return size === 0 ? -Infinity : -size;
}

/** @param {ts.Node} node */
function isDeclarationOnly(node) {
  return (
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node)
  );
}

/**
 * @param {ts.Node} node
 * @returns {Change[]}
 */
function changesOf(node) {
  return [
    ...changesOfCondition(node),
    ...changesOfOperator(node),
    ...changesOfResult(node),
    ...changesOfLiteral(node),
  ];
}

/**
 * @param {ts.Node} node
 * @returns {Change[]}
 */
function changesOfCondition(node) {
  // A loop without an end only costs the time limit.
  if (ts.isForStatement(node)) return node.condition ? [{ node: node.condition, replacement: 'false' }] : [];
  if (ts.isWhileStatement(node) || ts.isDoStatement(node)) {
    return [{ node: node.expression, replacement: 'false' }];
  }
  const condition = ts.isIfStatement(node)
    ? node.expression
    : ts.isConditionalExpression(node) && node.condition;
  if (!condition) return [];
  const always = ['true', 'false'].map((replacement) => ({ node: condition, replacement }));
  // The other operator is its negation.
  if (ts.isBinaryExpression(condition) && /^[!=]==$/.test(condition.operatorToken.getText())) return always;
  return [...always, { node: condition, replacement: `!(${condition.getText()})` }];
}

/**
 * @param {ts.Node} node
 * @returns {Change[]}
 */
function changesOfOperator(node) {
  if (!ts.isBinaryExpression(node)) return [];
  const swapped = swappedOperators.get(node.operatorToken.kind);
  if (swapped === undefined || (swapped === '-' && joinsText(node))) return [];
  return [{ node, replacement: `((${node.left.getText()}) ${swapped} (${node.right.getText()}))` }];
}

/**
 * @param {ts.Expression} node
 * @returns {boolean}
 */
function joinsText(node) {
  if (ts.isBinaryExpression(node)) return joinsText(node.left) || joinsText(node.right);
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

/**
 * Changes of what a function does or returns.
 * @param {ts.Node} node
 * @returns {Change[]}
 */
function changesOfResult(node) {
  if (ts.isExpressionStatement(node)) {
    return isCall(node.expression) ? [{ node: node.expression, replacement: 'undefined' }] : [];
  }
  const result = ts.isReturnStatement(node)
    ? node.expression
    : ts.isArrowFunction(node) && !ts.isBlock(node.body) && node.body;
  if (!result || result.getText() === 'undefined') return [];
  return [{ node: result, replacement: 'undefined' }];
}

/**
 * @param {ts.Expression} node
 * @returns {boolean}
 */
function isCall(node) {
  if (ts.isAwaitExpression(node) || ts.isVoidExpression(node)) return isCall(node.expression);
  return ts.isCallExpression(node) && node.expression.kind !== ts.SyntaxKind.SuperKeyword;
}

/**
 * @param {ts.Node} node
 * @returns {Change[]}
 */
function changesOfLiteral(node) {
  if ('name' in node.parent && node.parent.name === node) return [];
  if (ts.isNumericLiteral(node) && Number(node.text) < largeNumber) {
    return ['+', '-'].map((sign) => ({ node, replacement: `(${node.getText()} ${sign} 1)` }));
  }
  return ts.isStringLiteral(node) && hasMeaning(node) ? [{ node, replacement: "''" }] : [];
}

/**
 * Reports whether a text decides something: it is no prose, SQL or name in SQL, and neither logged nor thrown.
 * @param {ts.StringLiteral} node
 */
function hasMeaning(node) {
  if (node.text === '' || /\s/.test(node.text)) return false;
  const isCompared = ts.isBinaryExpression(node.parent) || ts.isCaseClause(node.parent);
  if (node.getSourceFile().fileName.startsWith('src/store/') && !isCompared) return false;
  for (let above = node.parent; !ts.isStatement(above) && !ts.isSourceFile(above); above = above.parent) {
    if (!ts.isCallExpression(above) && !ts.isNewExpression(above)) continue;
    if (loggedOrThrown.test(above.expression.getText())) return false;
  }
  return true;
}
