// The rules of `npm run check` for single files; those between files are in .dependency-cruiser.cjs.
import { defineConfig, tseslint } from './tools/packages.mjs';

const noDefaultExport = {
  selector: 'ExportDefaultDeclaration, ExportSpecifier[exported.name="default"]',
  message: 'Export by name: a default export gets a new name in every file.',
};
const noSwallowedError = [
  {
    selector: 'CatchClause > BlockStatement[body.length=0]',
    message: 'An error must not vanish: handle it, or let it pass.',
  },
  {
    selector:
      'CallExpression[callee.property.name="catch"] > ArrowFunctionExpression[params.length=0]' +
      ':matches([body.body.length=0], [body.name="undefined"], [body.raw="null"])',
    message: 'An error must not vanish: handle it, or let it pass.',
  },
];
const noBarrel = {
  selector: 'ExportAllDeclaration, ExportNamedDeclaration[source]',
  message: 'Import a thing from the file that defines it.',
};
const noRestTuple = {
  selector: ':function > RestElement > ArrayPattern[elements.length>1]',
  message: 'Name the parameters: a tuple of them only hides how many there are.',
};
const noTestLeftOut = [
  {
    selector: 'MemberExpression[property.name=/^(only|skip|skipIf|runIf|todo)$/]',
    message: 'Every test runs, everywhere.',
  },
  {
    selector:
      'CallExpression[callee.name=/^(describe|it|suite|test)$/] > ObjectExpression > Property[key.name=/^(only|skip|todo)$/]',
    message: 'Every test runs, everywhere.',
  },
];
const noSpreadLiteral = {
  selector: 'ObjectExpression > SpreadElement > ObjectExpression',
  message: 'Write its properties in the object itself.',
};
/** The body of an HTTP answer may be cast: it is no error. */
const ofError = ':not([expression.type=/^(Await|Call)Expression$/])';
const noCastForCode = [
  `TSAsExpression${ofError} > :matches(TSTypeLiteral, TSIntersectionType) TSPropertySignature[key.name="code"]`,
  `MemberExpression[property.name="code"] > TSAsExpression.object${ofError}`,
  `VariableDeclarator:has(ObjectPattern > Property[key.name="code"]) > TSAsExpression.init[expression.type="Identifier"]`,
  'TSQualifiedName[right.name="ErrnoException"]',
].map((selector) => ({
  selector,
  message: 'Ask codeOf(error) of packages/system-errors, or narrow with `in`: anything can be thrown.',
}));
const noCastForMessage = {
  selector: `MemberExpression[property.name="message"] > TSAsExpression.object${ofError}[typeAnnotation.typeName.name="Error"]`,
  message: 'Ask messageOf(error) of packages/system-errors: anything can be thrown.',
};
const restricted = [
  noDefaultExport,
  noBarrel,
  noRestTuple,
  noSpreadLiteral,
  ...noSwallowedError,
  ...noCastForCode,
  noCastForMessage,
];
/** For the page, whose policy requires Trusted Types and forbids anything inline. */
const noMarkupFromText = {
  selector:
    'JSXAttribute[name.name=/^(dangerouslySetInnerHTML|srcdoc|srcDoc)$/], ' +
    'MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML|srcdoc|setHTMLUnsafe)$/]',
  message: 'Text becomes elements by JSX, never by being parsed.',
};

const noProcessImport = ['node:process', 'process'].map((name) => ({
  name,
  message: 'Use the global `process`; the environment is read by packages/config and src/main.ts alone.',
}));
/** These turn a session that can only be sealed for into one whose mail can be opened. */
const noOpening = {
  regex: '/session-access[.]ts$',
  importNames: ['openByToken', 'openWrapped'],
  message: 'Only a request that brings a token, or what was made with it, opens mail.',
};

/** @type {import('./tools/packages.mjs').RulesRecord} */
const size = {
  'max-lines': ['error', 400],
  'max-lines-per-function': ['error', 60],
  // Three are usual; a fourth is better than a tuple or an object made to hide it.
  '@typescript-eslint/max-params': ['error', { max: 4 }],
};

/** @type {import('./tools/packages.mjs').RulesRecord} */
const naming = {
  // Constants are named like everything else: bytesMax, not BYTES_MAX.
  '@typescript-eslint/naming-convention': [
    'error',
    {
      selector: ['variable', 'parameter', 'function', 'classProperty', 'classMethod'],
      format: null,
      custom: { regex: '^_?[A-Z][A-Z0-9_]+$', match: false },
    },
  ],
};

/** @type {import('./tools/packages.mjs').RulesRecord} */
const correctness = {
  eqeqeq: 'error',
  curly: ['error', 'multi-line'],
  'no-console': 'error',
  'no-constant-binary-expression': 'error',
  'no-constructor-return': 'error',
  'no-empty': 'error',
  'no-fallthrough': 'error',
  'no-loss-of-precision': 'error',
  'no-self-compare': 'error',
  'no-unreachable-loop': 'error',
  'no-unsafe-finally': 'error',
  'no-useless-escape': 'error',
  'no-var': 'error',
  'object-shorthand': 'error',
  'prefer-const': 'error',
  '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
  '@typescript-eslint/consistent-type-exports': 'error',
  '@typescript-eslint/no-explicit-any': 'error',
  '@typescript-eslint/no-floating-promises': 'error',
  '@typescript-eslint/no-misused-promises': 'error',
  '@typescript-eslint/no-non-null-assertion': 'error',
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
  '@typescript-eslint/only-throw-error': 'error',
  '@typescript-eslint/prefer-readonly': 'error',
  '@typescript-eslint/return-await': ['error', 'in-try-catch'],
  '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  '@typescript-eslint/use-unknown-in-catch-callback-variable': 'error',
  // A port's method can be asynchronous in only some implementations; all must have its type.
  '@typescript-eslint/require-await': 'off',
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
};

/** @type {import('./tools/packages.mjs').RulesRecord} */
const untypedAnswersAllowed = {
  '@typescript-eslint/no-unsafe-argument': 'off',
  '@typescript-eslint/no-unsafe-assignment': 'off',
  '@typescript-eslint/no-unsafe-call': 'off',
  '@typescript-eslint/no-unsafe-member-access': 'off',
  '@typescript-eslint/no-unsafe-return': 'off',
};

export default defineConfig(
  {
    // site/ has packages of its own, without which its types are unknown.
    ignores: [
      'build/',
      '**/dist/',
      'coverage/',
      'data/',
      'site/',
      'examples/',
      '**/node_modules/',
      '**/test/fixtures/',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{ts,tsx,js,mjs,cjs}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: { ...size, ...naming, ...correctness, 'no-restricted-syntax': ['error', ...restricted] },
  },
  {
    files: ['src/**', 'packages/*/src/**'],
    ignores: ['packages/config/src/**', 'src/main.ts', '**/*.test.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'The environment is read once, by packages/config and src/main.ts.',
        },
      ],
      'no-restricted-imports': ['error', { paths: noProcessImport, patterns: [noOpening] }],
    },
  },
  {
    // Where tokens are made or recovered.
    files: ['claim-address', 'share-session', 'session-password', 'standing-captures'].map(
      (name) => `src/service/addresses/${name}.ts`,
    ),
    rules: { 'no-restricted-imports': ['error', { paths: noProcessImport }] },
  },
  {
    files: ['src/**', 'packages/*/src/**'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'fetch', message: 'packages/networks has the only HTTP client.' },
      ],
    },
  },
  {
    // Entry files that only re-export.
    files: ['packages/mail-reader/src/*.ts', 'clients/*/src/index.ts'],
    rules: { 'no-restricted-syntax': ['error', noDefaultExport, ...noSwallowedError] },
  },
  {
    files: ['web/src/**', 'web/admin/**', 'web/service-worker/**'],
    ignores: ['**/*.test.{ts,tsx}'],
    rules: {
      // The browser's console is the page's only log.
      'no-console': ['error', { allow: ['warn', 'error'] }],
      'no-restricted-syntax': ['error', ...restricted, noMarkupFromText],
      'no-restricted-globals': [
        'error',
        ...['process', 'Buffer', 'global', 'require', 'setImmediate'].map((name) => ({
          name,
          message: 'The page runs in a browser.',
        })),
      ],
    },
  },
  {
    files: ['clients/extension/src/**'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-console': ['error', { allow: ['info', 'warn'] }],
      'no-restricted-syntax': ['error', ...restricted, noMarkupFromText],
    },
  },
  {
    files: ['src/cli/**', 'src/main.ts', 'scripts/**', 'bin/**', 'bench/**'],
    rules: { 'no-console': 'off' },
  },
  {
    // The composition root lists parts: a function cut in two would hide what is given to whom.
    files: ['src/app.ts', 'src/app/**/*.ts', 'src/service/services.ts'],
    ignores: ['**/*.test.ts'],
    rules: { 'max-lines-per-function': ['error', 90] },
  },
  {
    files: ['**/*.test.{ts,tsx}', '**/test/**'],
    rules: {
      ...untypedAnswersAllowed,
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/unbound-method': 'off',
      'no-restricted-syntax': ['error', ...restricted, ...noTestLeftOut],
    },
  },
  {
    // A worker of Cloudflare is its module's default, and the console is its log.
    files: ['deploy/cloudflare/**'],
    rules: { 'no-console': 'off', 'no-restricted-syntax': ['error', ...noSwallowedError] },
  },
  {
    files: ['**/*.config.ts', '*.config.js'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    // Plain JavaScript gets its types from comments; parsed JSON and messages stay untyped.
    files: ['**/*.{mjs,cjs}'],
    rules: { ...untypedAnswersAllowed },
  },
  {
    files: ['**/*.cjs'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
);
