import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';

import names from './eslint.names.js';

/**
 * Who may import what. ESLint names the line while you type; dependency-cruiser looks at the whole graph. The reasons are in
 * ARCHITECTURE.md.
 */
const forbid = {
  node: { regex: '^node:', message: 'This folder is pure: it runs in a browser too and gets what it needs as arguments.' },
  fs: { regex: '^(node:)?fs(/|$)', message: 'Files are reached through a Disk (packages/core/src/disk).' },
  io: {
    regex: '/(disk|storage|store|manager|history|paths|discovery|corpus|testing)/',
    message: 'Pure folders know nothing of files; the store composes them.',
  },
  corePath: {
    regex: '^@stemma/core/(?!pure$|history$|corpus$|testing$)',
    message: 'Only the subpaths of core that its package.json exports.',
  },
  up: { regex: '^(\\.\\./)+(packages|apps|e2e)/', message: 'Other packages are imported by name.' },
  webPackages: {
    regex: '^@stemma/(?!core/pure$|api/schemas$)',
    message: 'The page knows @stemma/core/pure and the types of @stemma/api/schemas.',
  },
  schemaValues: {
    regex: '^@stemma/api/schemas$',
    allowTypeImports: true,
    message: 'Only `import type`: schemas run in the server.',
  },
  hierarchy: { regex: '^d3-hierarchy$', message: 'Only lib/tree/layout.ts lays out trees.' },
  allPackages: { regex: '^@stemma/', message: 'The journeys know the app through the browser only.' },
  server: { regex: '^(fastify|@fastify/|node:)', message: 'Schemas are plain data: typebox and @stemma/core/pure.' },
};

const imports = (...patterns) => ({ '@typescript-eslint/no-restricted-imports': ['error', { patterns }] });

/** Rules of ESLint itself that find mistakes, not style. */
const MISTAKES = Object.fromEntries(
  [
    ...['no-cond-assign', 'no-constant-condition', 'no-control-regex', 'no-debugger', 'no-dupe-else-if', 'no-duplicate-case'],
    ...['no-eval', 'no-fallthrough', 'no-implied-eval', 'no-irregular-whitespace', 'no-loss-of-precision', 'no-new-func'],
    ...['no-self-assign', 'no-self-compare', 'no-sparse-arrays', 'no-unmodified-loop-condition'],
    ...['no-unsafe-finally', 'no-useless-catch', 'no-useless-escape'],
  ].map((name) => [name, 'error']),
);

const size = (max) => ({ 'max-lines': ['error', { max, skipBlankLines: true, skipComments: true }] });

/** Folders of core without node:*, clock or random numbers. */
const PURE = ['entries', 'logs', 'outline', 'tree', 'context', 'transcript', 'shapes', 'persist'];
const PURE_FILES = [
  ...PURE.map((name) => `packages/core/src/${name}/**/*.ts`),
  'packages/core/src/discovery/{cut-record,info-facts,match,session-info}.ts',
  'packages/core/src/{blobs/refs,blobs/base64,blobs/check,parallel,pure,errors,problem-list,problems}.ts',
];

export default ts.config(
  { ignores: ['**/dist/', '**/node_modules/', '**/coverage/', '.stemma-build/', 'e2e/test-results/', '**/playwright-report/'] },
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.node } },
    plugins: { stemma: names },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    rules: {
      ...size(400),
      ...MISTAKES,
      'no-empty': ['error', { allowEmptyCatch: false }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Loops over columns index within their length; `!` is how that is said under noUncheckedIndexedAccess.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Caches and locals are plain on purpose; what the page shows is $state.
      'svelte/prefer-svelte-reactivity': 'off',
      // It takes the words that explain an ignore for codes.
      'svelte/no-unused-svelte-ignore': 'off',
      ...imports(forbid.up),
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'] } },
  },
  { files: ['**/*.svelte'], rules: { ...size(250), 'svelte/no-at-html-tags': 'error' } },

  // Import boundaries. Of several entries that fit a file the last one counts, so each repeats what still holds.
  // Control characters are data there.
  { files: ['packages/core/src/**/*.ts'], rules: { ...imports(forbid.up, forbid.fs), 'no-control-regex': 'off' } },
  {
    files: PURE_FILES,
    rules: {
      ...imports(forbid.up, forbid.node, forbid.io),
      'no-restricted-globals': [
        'error',
        'process',
        'Buffer',
        'setTimeout',
        'setInterval',
        'setImmediate',
        'performance',
        'crypto',
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Time comes in as an argument.' },
        { object: 'Math', property: 'random', message: 'Ids and randomness come in as arguments.' },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: 'Time comes in as an argument.' },
      ],
    },
  },
  { files: ['packages/core/src/disk/**/*.ts', 'packages/core/src/corpus/{write,main}.ts'], rules: imports(forbid.up) },
  { files: ['packages/catalog/src/**/*.ts'], rules: imports(forbid.up, forbid.fs, forbid.corePath) },
  // Queries are read in the page as well.
  {
    files: ['packages/catalog/src/query/**/*.ts'],
    rules: imports(forbid.up, forbid.node, { regex: '^@stemma/|better-sqlite3', message: 'Queries know texts only.' }),
  },
  { files: ['apps/api/src/**/*.ts'], rules: imports(forbid.up, forbid.fs, forbid.corePath) },
  { files: ['apps/api/src/schemas/**/*.ts'], rules: imports(forbid.up, forbid.server, forbid.corePath) },
  // The page's built files are served from where they are; no session is read there.
  { files: ['apps/api/src/plugins/static.ts'], rules: imports(forbid.up, forbid.corePath) },
  { files: ['apps/cli/src/**/*.ts'], rules: imports(forbid.up, forbid.corePath) },
  {
    files: ['apps/web/src/**/*.{ts,svelte}'],
    languageOptions: { globals: { ...globals.browser } },
    rules: imports(forbid.up, forbid.node, forbid.webPackages, forbid.schemaValues, forbid.hierarchy),
  },
  { files: ['apps/web/src/lib/tree/layout.ts'], rules: imports(forbid.up, forbid.node, forbid.webPackages, forbid.schemaValues) },
  {
    files: ['e2e/**/*.ts'],
    languageOptions: { globals: { ...globals.browser } },
    rules: { ...imports(forbid.up, forbid.allPackages), 'no-console': 'off' },
  },

  // Tests may share their inputs.
  { files: ['apps/*/test/**/*.ts'], rules: { '@typescript-eslint/no-restricted-imports': 'off' } },
  // Programs for the terminal.
  { files: ['bench/**/*.ts', 'examples/**/*.ts', 'packages/core/interop/**'], rules: { 'no-console': 'off' } },
  { files: ['packages/core/src/**/*.ts', 'apps/*/src/**/*.{ts,svelte}'], rules: { 'stemma/registered-names': 'error' } },
);
