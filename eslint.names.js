/**
 * Counts where the names of dialects, entry types and statuses stand as string literals: only in the files that own them. A second list
 * of names somewhere else is how a new one gets forgotten. Names that are ordinary words too (`message`, `label`, `error`, …) count only
 * where they are compared with, or written to, a property of the vocabulary.
 */

/**
 * @typedef {object} Vocabulary
 * @property {string} what
 * @property {Set<string>} plain names that mean nothing else
 * @property {Record<string, Set<string>>} byProperty names that are words as well, by the property that makes them names
 * @property {RegExp} owners files that may say them
 */

/** @type {Vocabulary[]} */
const VOCABULARIES = [
  {
    what: 'dialect',
    plain: new Set(['musepi', 'dsh']),
    byProperty: { dialect: new Set(['pi', 'projects']), rules: new Set(['pi']) },
    owners:
      /^(packages\/core\/src\/(shapes\/|corpus\/|context\/types|store\/root-layout)|apps\/api\/src\/schemas\/|apps\/cli\/src\/agent-folders\.ts)/,
  },
  {
    what: 'entry type',
    plain: new Set([
      ...['thinking_level_change', 'model_change', 'service_tier_change', 'branch_summary', 'custom_message', 'ttsr_injection'],
      ...['session_init', 'mode_change', 'session_info', 'title_change', 'reset_boundary', 'credential_pin', 'model_usage'],
      ...['active_tools_change', 'context_edit', 'mcp_tool_selection'],
    ]),
    byProperty: { type: new Set(['message', 'compaction', 'custom', 'label', 'archive', 'leaf', 'usage']) },
    // The page gets types as texts of the outline. What it draws by type is in these files and nowhere else.
    owners:
      /^(packages\/core\/src\/(entries|corpus)\/|apps\/web\/src\/lib\/(tree\/(kinds|outline-rows|tree-model)|transcript\/groups|session\/session-view\.svelte)\.ts)/,
  },
  {
    what: 'status of an entry in the context',
    plain: new Set(),
    // The page draws each status differently; there the compiler checks that none is missing.
    byProperty: { status: new Set(['sent', 'folded', 'otherBranch', 'neverSent', 'adjusted', 'dropped']) },
    owners: /^(packages\/core\/src\/context\/|apps\/web\/)/,
  },
  {
    what: 'status of a session',
    plain: new Set(),
    byProperty: { status: new Set(['complete', 'interrupted', 'aborted', 'pending']) },
    // In generated logs of DeepSeek Harness a thing to do has a status of its own.
    owners: /^(packages\/core\/src\/(store|corpus\/dsh)\/|apps\/api\/src\/schemas\/|apps\/web\/)/,
  },
];

const propertyName = (node) => {
  if (node?.type === 'ChainExpression') return propertyName(node.expression);
  if (node?.type === 'MemberExpression') return node.computed ? propertyName(node.object) : node.property.name;
  return node?.type === 'Identifier' ? node.name : undefined;
};

/** The property that a literal is compared with or written to. */
function subject(node) {
  const { parent } = node;
  if (parent.type === 'BinaryExpression') return propertyName(parent.left === node ? parent.right : parent.left);
  if (parent.type === 'SwitchCase' && parent.test === node) return propertyName(parent.parent.discriminant);
  if (parent.type === 'Property' && parent.value === node) return parent.key.name ?? parent.key.value;
  return undefined;
}

const says = (vocabulary, name, property) =>
  vocabulary.plain.has(name) ||
  (Object.hasOwn(vocabulary.byProperty, property ?? '') && vocabulary.byProperty[property].has(name));

/** @type {import('eslint').Rule.RuleModule} */
const registeredNames = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      name: '"{{name}}" ({{what}}) is named here as a string: ask the registry that owns it (eslint.names.js says which).',
    },
  },
  create(context) {
    const file = context.filename.slice(context.cwd.length + 1).replaceAll('\\', '/');
    const foreign = VOCABULARIES.filter((vocabulary) => !vocabulary.owners.test(file));
    return {
      Literal(node) {
        if (typeof node.value !== 'string') return;
        const found = foreign.find((vocabulary) => says(vocabulary, node.value, subject(node)));
        if (found) context.report({ node, messageId: 'name', data: { name: node.value, what: found.what } });
      },
    };
  },
};

export default { rules: { 'registered-names': registeredNames } };
