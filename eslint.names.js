/**
 * Counts where the names of dialects and entry types stand as string literals: only in the files that own them. A second list of
 * names somewhere else is how a new type gets forgotten. Names that are ordinary words too (`message`, `label`, `error`, …) count only
 * where they are compared with, or written to, a property of the vocabulary.
 */

/** Names that mean nothing else. */
const PLAIN = new Set([
  'musepi',
  'dsh',
  'thinking_level_change',
  'model_change',
  'service_tier_change',
  'branch_summary',
  'custom_message',
  'ttsr_injection',
  'session_init',
  'mode_change',
  'session_info',
  'title_change',
  'reset_boundary',
  'credential_pin',
  'model_usage',
  'active_tools_change',
  'context_edit',
  'mcp_tool_selection',
]);

/** Names that are words as well, by the property that makes them names. */
const BY_PROPERTY = {
  type: new Set(['message', 'compaction', 'custom', 'label', 'archive', 'leaf', 'usage']),
  dialect: new Set(['pi', 'projects']),
  rules: new Set(['pi']),
  status: new Set([
    'complete',
    'interrupted',
    'aborted',
    'pending',
    'sent',
    'folded',
    'otherBranch',
    'neverSent',
    'adjusted',
    'dropped',
  ]),
};

const propertyName = (node) => {
  if (node?.type === 'ChainExpression') return propertyName(node.expression);
  if (node?.type === 'MemberExpression' && !node.computed) return node.property.name;
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

/** @type {import('eslint').Rule.RuleModule} */
const registeredNames = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { name: '"{{name}}" is named here as a string: ask the registry that owns it (shapes/, entries/, schemas/).' },
  },
  create(context) {
    return {
      Literal(node) {
        if (typeof node.value !== 'string') return;
        const property = subject(node);
        const listed = Object.hasOwn(BY_PROPERTY, property ?? '') && BY_PROPERTY[property].has(node.value);
        if (listed || PLAIN.has(node.value)) context.report({ node, messageId: 'name', data: { name: node.value } });
      },
    };
  },
};

export default { rules: { 'registered-names': registeredNames } };
