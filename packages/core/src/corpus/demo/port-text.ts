/** Texts of the long session: rules of a grammar and the code, test runs and summaries about them. */
import type { Random } from '../base/random.ts';

export const RULES = (
  'identifier number_literal string_literal template_literal regex_literal boolean null_literal array_literal object_literal ' +
  'property spread parenthesised unary_operator binary_operator logical_operator ternary assignment compound_assignment ' +
  'member_access optional_chain index_access call arguments new_expression arrow_function function_expression class_expression ' +
  'await_expression yield_expression sequence tagged_template block empty_statement expression_statement variable_declaration ' +
  'destructuring default_value if_statement else_branch switch_statement case_clause while_loop do_loop for_loop for_in for_of ' +
  'break_statement continue_statement return_statement throw_statement try_statement catch_clause finally_clause labelled ' +
  'function_declaration parameters rest_parameter generator async_function class_declaration constructor method getter setter ' +
  'static_block private_name decorator import_declaration import_specifier dynamic_import export_declaration export_default ' +
  'type_annotation union_type intersection_type tuple_type function_type generic_parameters interface enum namespace directive ' +
  'type_alias conditional_type mapped_type index_type keyof_type typeof_type infer_type literal_type readonly_modifier ' +
  'abstract_class index_signature call_signature construct_signature type_predicate asserts non_null satisfies as_expression ' +
  'triple_slash shebang using_declaration import_attributes export_star ambient_declaration overload jsx_element jsx_attribute ' +
  'jsx_fragment hashbang html_comment'
).split(' ');

/** What was wrong with a new rule: the reason, the line before and after. */
export const FAULTS = [
  ['The position after the rule is one too far.', '  const end = p.position + 1;', '  const end = p.position;'],
  [
    'An empty list was read as a missing one.',
    "  if (!items.length) return p.fail('list');",
    "  if (items === null) return p.fail('list');",
  ],
  ['Comments between the tokens were dropped.', '  p.skipTrivia();', '  node.trivia = p.takeTrivia();'],
  ['Precedence: this binds looser than the rule above.', '  return binary(p, level);', '  return binary(p, level - 1);'],
  [
    'The keyword is only reserved at the start of a statement.',
    '  p.expectKeyword();',
    '  if (p.atStatementStart) p.expectKeyword();',
  ],
] as const;

export function pascal(rule: string): string {
  return rule.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The old parser's way: regular expressions and a cursor. */
export function oldRule(random: Random, rule: string): string {
  let out = `// ${rule.replaceAll('_', ' ')}, see the table in docs/old-grammar.md\nconst START = /^\\s*(?:${rule.slice(0, 4)}|\\()/;\n\nexport function parse${pascal(rule)}(source, at, flags) {\n  let match = START.exec(source.slice(at));\n  if (!match) return null;\n`;
  for (let i = random.range(2, 9); i > 0; i--) {
    const part = random.pick(RULES);
    out += `  match = /^\\s*([^${random.pick([',', ';', ')', '}'])}]*)/.exec(source.slice(at));\n  if (match && !flags.${part}) at = parse${pascal(part)}(source, at + match[0].length, flags).end;\n`;
  }
  return out + `  return { type: '${rule}', start: match.index, end: at };\n}\n`;
}

/** The same rule in the new grammar. */
export function newRule(random: Random, rule: string): string {
  const parts = Array.from({ length: random.range(2, 5) }, () => random.pick(RULES));
  const body = parts.map((part) => `  node.add(${random.chance(0.3) ? `p.optional(${part})` : `${part}(p)`});\n`).join('');
  return `import type { Node, Parser } from './types.ts';\n\n/** ${pascal(rule)}: ${parts.join(' ')} */\nexport function ${rule}(p: Parser): Node {\n  const start = p.position;\n  const node = p.open('${rule}', start);\n${body}  return p.close(node);\n}\n`;
}

export function greenRun(random: Random, rule: string, tests: number): string {
  let out = '\n';
  for (let i = random.range(3, 12); i > 0; i--) {
    const file = i === 1 ? rule : random.pick(RULES);
    out += ` \u001b[32m✓\u001b[39m test/${file}.test.ts \u001b[2m(${random.range(2, 14)} tests)\u001b[22m ${random.range(3, 90)}ms\n`;
  }
  return out + `\n\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m${tests} passed\u001b[39m\u001b[22m (${tests})\n`;
}

export function failingRun(random: Random, rule: string, tests: number): string {
  const line = random.range(10, 90);
  return `\n \u001b[31mFAIL\u001b[39m test/${rule}.test.ts > ${rule.replaceAll('_', ' ')} > keeps its range\n\u001b[31mAssertionError\u001b[39m: expected ${line + 1} to be ${line}\n\n    \u001b[2m❯\u001b[22m test/${rule}.test.ts:${line}:${random.range(5, 30)}\n\n\u001b[2m      Tests \u001b[22m \u001b[31m1 failed\u001b[39m | \u001b[32m${tests - 1} passed\u001b[39m (${tests})\n`;
}

export function summaryOf(ported: number, tests: number): string {
  const done = RULES.slice(Math.max(0, ported - 6), ported);
  return `## Goal
Port the parser in src/old to the grammar in src/grammar, one rule at a time, tests green and a commit after each.

## Done
- ${ported} of ${RULES.length} rules; the last: ${done.join(', ')}
- ${tests} tests pass
- differences to the old parser are listed in docs/differences.md; in all of them the new tree is right

## Decisions
- recovery skips to the end of the rule and marks the node as broken
- the old parser stays until the last rule is ported
- no table, no generated code: measured, no gain

## Next
${RULES[ported % RULES.length] ?? ''}, then ${RULES[(ported + 1) % RULES.length] ?? ''}`;
}
