// Our own stylelint rules: every rule is in a cascade layer, and only defined tokens are used. Loaded by
// stylelint.config.js.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import stylelint from 'stylelint';

const layersRule = 'mayfly/layers';
const tokensRule = 'mayfly/tokens';
const tokenSheet = path.resolve(import.meta.dirname, '../web/src/styles/tokens.css');

const layersMessages = stylelint.utils.ruleMessages(layersRule, {
  rejected: (/** @type {string} */ selector) => `"${selector}" lies in no cascade layer`,
});
const tokensMessages = stylelint.utils.ruleMessages(tokensRule, {
  rejected: (/** @type {string} */ name) => `${name} is neither a token nor given in this sheet`,
});

/** @type {Promise<string[]> | undefined} */
let tokenNames;

async function readTokenNames() {
  const text = await readFile(tokenSheet, 'utf8');
  return Array.from(text.matchAll(/(--[\w-]+)\s*:/g), ([, name = '']) => name);
}

/** @type {import('stylelint').RuleBase} */
function layers() {
  return (root, result) => {
    root.walkRules((rule) => {
      if (isInLayer(rule.parent)) return;
      const message = layersMessages.rejected(rule.selector);
      stylelint.utils.report({ ruleName: layersRule, result, node: rule, message });
    });
  };
}

/**
 * @param {object | undefined} start
 * @returns {boolean}
 */
function isInLayer(start) {
  const node = /** @type {{ name?: string, parent?: object } | undefined} */ (start);
  return node !== undefined && (node.name === 'layer' || isInLayer(node.parent));
}

/** @type {import('stylelint').RuleBase} */
function tokens() {
  return async (root, result) => {
    const names = new Set(await (tokenNames ??= readTokenNames()));
    root.walkDecls(/^--/, (declaration) => {
      names.add(declaration.prop);
    });
    root.walkDecls((declaration) => {
      for (const [, name = ''] of declaration.value.matchAll(/var\(\s*(--[\w-]+)/g)) {
        if (names.has(name)) continue;
        const message = tokensMessages.rejected(name);
        stylelint.utils.report({ ruleName: tokensRule, result, node: declaration, message });
      }
    });
  };
}

export const plugins = [
  stylelint.createPlugin(
    layersRule,
    Object.assign(layers, { ruleName: layersRule, messages: layersMessages }),
  ),
  stylelint.createPlugin(
    tokensRule,
    Object.assign(tokens, { ruleName: tokensRule, messages: tokensMessages }),
  ),
];
