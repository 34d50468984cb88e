/** Import rules over the whole graph. ESLint has the rules for single lines; here are layers, reach, cycles and orphans. */

const PURE =
  '^packages/core/src/((entries|logs|outline|tree|context|transcript|shapes|persist)/|(pure|errors|parallel|problem-list|problems)\\.ts|blobs/(refs|base64|check)\\.ts)';
const IO = '^packages/core/src/(disk|storage|store|manager|history|paths|discovery)/';
const core = (folders) => `^packages/core/src/(${folders})/`;

/** A layer of core and what it must not know. */
const layer = (name, from, to, comment) => ({ name, comment, severity: 'error', from: { path: from }, to: { path: to } });

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'A cycle is two modules that should be one, or three.',
      severity: 'error',
      // A component that draws nested values imports itself.
      from: { pathNot: '/JsonTree\\.svelte$' },
      // Types alone go round without harm.
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans',
      comment: 'Nobody imports it and it starts nothing: delete it.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          '\\.d\\.ts$',
          '(^|/)(vite|vitest|playwright|svelte)\\.config\\.(ts|js)$',
          '\\.(test|spec)\\.ts$',
          '/index\\.ts$',
        ],
      },
      to: {},
    },
    {
      name: 'not-to-unresolvable',
      comment: 'The import leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'pure-reaches-no-node',
      comment: 'What @stemma/core/pure reaches must run in a browser.',
      severity: 'error',
      from: { path: PURE },
      to: { dependencyTypes: ['core'] },
    },
    layer('pure-knows-no-io', PURE, IO, 'Pure folders get bytes and times as arguments.'),
    {
      name: 'entries-at-the-bottom',
      comment: 'Entry types know the vocabularies that views are written in, and no view.',
      severity: 'error',
      from: { path: core('entries') },
      to: {
        path: core('outline|logs|tree|context|transcript|shapes|codec|blobs'),
        pathNot: '^packages/core/src/(transcript/items|context/types|outline/flags|blobs/refs)\\.ts$',
      },
    },
    layer('tree-knows-no-view', core('tree'), core('context|transcript|logs|codec|shapes'), 'Tree functions work on columns.'),
    layer(
      'views-do-not-decode',
      core('context|transcript'),
      core('logs|codec'),
      'Context and transcript work on entries, however they were stored.',
    ),
    layer(
      'context-and-transcript-apart',
      core('context'),
      core('transcript'),
      'The context is what the model sees; the transcript may ask it, not the other way round.',
    ),
    layer(
      'disk-at-the-bottom',
      core('disk|codec'),
      core('store|manager|storage|entries|tree|context|transcript|shapes'),
      'A disk knows bytes, not sessions.',
    ),
    layer(
      'manager-does-no-io',
      '^packages/core/src/manager/(session-manager|session-writer|sessions|branching|move|entry-tree|tree-nodes|extract-branch|adopt|names|headers|new-entries|interrupted-turn)\\.ts',
      core('disk|storage|paths'),
      'A manager works through its store; what touches the disk around it is in ground.ts, grounds.ts and beside them.',
    ),
    layer(
      'blobs-know-no-sessions',
      // All but the check, which asks an outline for its references.
      '^packages/core/src/blobs/(?!check\\.ts)',
      core('store|manager|tree|context|transcript|outline'),
      'A blob store keeps bytes under their hash.',
    ),
    layer(
      'storage-knows-no-sessions',
      core('storage'),
      core('entries|logs|outline|shapes|persist|store|paths|discovery|manager'),
      'Storage knows files and lines.',
    ),
    layer(
      'manager-on-top',
      core('storage|store|blobs|persist|paths|discovery|disk'),
      core('manager'),
      'Stores and lists do not know who uses them.',
    ),
    layer(
      'nothing-needs-the-corpus',
      '^packages/core/src/(?!corpus/|testing/)',
      core('corpus|testing'),
      'Generated data and builders are for demo and tests.',
    ),
    layer(
      'only-history-needs-sqlite',
      '^packages/core/src/(?!history/)',
      '^packages/core/src/history/|node_modules/better-sqlite3',
      'The rest of core runs where the native module does not.',
    ),
    layer(
      'queries-know-texts-only',
      '^packages/catalog/src/query/',
      '^packages/(core|catalog/src/(db|search))/|node_modules/better-sqlite3',
      'Queries are read and matched in the page, too.',
    ),
    layer('core-knows-no-catalog', '^packages/core/', '^packages/catalog/', 'The catalog is made from core.'),
    layer('core-imports-no-app', '^packages/', '^apps/', 'Apps import packages.'),
    layer('schemas-stand-alone', '^apps/api/src/schemas/', '^apps/api/src/(?!schemas/)', 'Schemas are shared with the page.'),
    layer(
      'page-knows-no-server',
      '^apps/web/',
      '^(apps/(api|cli)|packages)/.*/src/',
      'The page imports packages by name and from the API types only.',
    ),
    layer(
      'ui-knows-no-sessions',
      '^apps/web/src/lib/ui/',
      '^apps/web/src/(views|lib/(tree|transcript|inspector|library|api))/',
      'Buttons and panes are general.',
    ),
    layer('lib-knows-no-views', '^apps/web/src/lib/', '^apps/web/src/views/', 'Views compose; parts do not know them.'),
    layer('journeys-know-no-source', '^e2e/', '^(apps|packages)/', 'Journeys know the app through the browser only.'),
    {
      name: 'no-test-in-source',
      comment: 'Shipped code does not import tests.',
      severity: 'error',
      from: { path: '/src/' },
      to: { path: '/test/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|coverage|test-results|playwright-report)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'svelte', 'import', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.svelte'],
    },
  },
};
