import { Random } from '../base/random.ts';
import { MODELS } from '../session/models.ts';
import { bash, bashFails, edit, grep, read } from './calls.ts';
import { failingRun, FAULTS, greenRun, newRule, oldRule, pascal, RULES, summaryOf } from './port-text.ts';
import { Tale, type Call } from './tale.ts';

const ENTRIES = 3000;

/** Where the work stands while it is told. */
interface Progress {
  tale: Tale;
  random: Random;
  turns: number;
  ported: number;
  tests: number;
}

/** Two weeks in one session: a parser is ported rule by rule, with dead ends and many compactions. */
export function port(time: number): Tale {
  const tale = new Tale({ shapes: 'musepi', project: 'work/parser', title: 'Port the parser to the new grammar', time });
  const progress: Progress = { tale, random: new Random(2026, 50), turns: 0, ported: 0, tests: 212 };
  tale
    .user(
      'The old parser is 6,000 lines of regular expressions. Port it to the new grammar in src/grammar, one rule at a time. After each rule the tests must be green, then commit.',
    )
    .step(
      '',
      'How many rules are there, and which depend on which?',
      bash('ls src/old | wc -l', `${RULES.length}\n`),
      grep('^rule', 'src/grammar', "src/grammar/base.ts:12:rule('whitespace')\nsrc/grammar/base.ts:15:rule('comment')\n"),
    )
    .answer(
      `${RULES.length} rules. I go from the leaves up: literals first, then expressions, statements, declarations, modules. The old parser stays callable, so that both can be compared on the corpus.`,
    );
  while (tale.count < ENTRIES) {
    const rule = RULES[progress.ported % RULES.length] as string;
    portRule(progress, rule);
    recover(progress, rule);
    compare(progress, rule);
    roundTrip(progress, rule);
    progress.ported++;
    if (progress.ported % 9 === 0) deadEnd(progress, rule);
    if (progress.ported % 6 === 0) compact(progress);
    if (progress.ported % 25 === 0) tale.label(turn(progress), `${progress.ported} rules`);
  }
  tale
    .user('That was a long one. Where are we?', 3)
    .answer(
      `${progress.ported} of ${RULES.length} rules are ported and committed, ${progress.tests} tests are green. What is left are the rules that only old files use.`,
    );
  return tale;
}

function turn({ turns }: Progress): string {
  return `turn ${turns}`;
}

/** A prompt; every 26th comes the next morning. */
function ask(progress: Progress, words: readonly string[]): Tale {
  progress.turns++;
  const after = progress.turns % 26 === 0 ? 14 * 60 : progress.random.range(1, 7);
  return progress.tale.user(progress.random.pick(words), after).mark(turn(progress));
}

function portRule(progress: Progress, rule: string): void {
  const { random } = progress;
  const file = `src/grammar/${rule}.ts`;
  ask(progress, [
    `Next: \`${rule}\`.`,
    `Now \`${rule}\`, same way as before.`,
    `go on with \`${rule}\``,
    `\`${rule}\` please. Look at the old tests first.`,
  ])
    .step(
      random.chance(0.4) ? `The old rule for ${rule} may rely on a flag of the lexer. Check before writing.` : '',
      `First what the old one does with \`${rule}\`.`,
      read(`src/old/${rule}.js`, oldRule(random, rule)),
      grep(
        `parse${pascal(rule)}`,
        'src test',
        `src/old/index.js:${random.range(20, 400)}:  parse${pascal(rule)},\ntest/${rule}.test.js:3:import { parse${pascal(rule)} } from '../src/old/${rule}.js';\n`,
      ),
    )
    .step('', random.chance(0.5) ? 'The rule in the new grammar:' : '', {
      tool: 'write',
      args: { path: file, content: newRule(random, rule) },
      out: `Successfully wrote 1 file: ${file}`,
    });
  progress.tests += random.range(2, 9);
  const first = random.below(FAULTS.length);
  for (let i = 0, tries = random.below(3); i < tries; i++) mend(progress, rule, first + i);
  const hash = random.hex(7);
  progress.tale
    .step(
      '',
      '',
      bash('npx vitest run', greenRun(random, rule, progress.tests)),
      bash(`git commit -qam "Port ${rule}" && git log --oneline -1`, `${hash} Port ${rule}\n`),
    )
    .answer(
      random.pick([
        `\`${rule}\` is ported and committed as ${hash}; ${progress.tests} tests are green.`,
        `Done, ${progress.tests} tests. The new rule has ${random.range(9, 40)} lines, the old one had ${random.range(50, 190)}.`,
        `Committed (${hash}). The old rule accepted a trailing comma by accident; the new one does so on purpose and has a test for it.`,
      ]),
    );
}

/** A failing run and the edit that mends it. */
function mend({ tale, random, tests }: Progress, rule: string, fault: number): void {
  const [reason, before, after] = FAULTS[fault % FAULTS.length] ?? FAULTS[0];
  const around = [`export function ${rule}(p: Parser): Node {`, '  const start = p.position;'];
  tale
    .step('', '', bashFails(`npx vitest run ${rule}`, failingRun(random, rule, tests)))
    .step('', reason, edit(`src/grammar/${rule}.ts`, random.range(8, 30), before, after, around, ['}']));
}

function recover(progress: Progress, rule: string): void {
  const { random } = progress;
  const at = random.pick(['the closing bracket', 'the semicolon', 'the end of the line', 'the next keyword']);
  const lost = random.below(4);
  ask(progress, [
    `What does \`${rule}\` do after a syntax error?`,
    'And when the file is broken in the middle of it?',
    'error recovery?',
  ])
    .step(
      '',
      '',
      bash(`node scripts/break.mjs ${rule} --cut 200`, `200 broken inputs, ${200 - lost} recovered at ${at}, ${lost} gave up\n`),
    )
    .answer(`It skips to ${at} and goes on. The node is marked \`broken\`, and everything after it is parsed as usual.`);
}

function compare(progress: Progress, rule: string): void {
  const { random, tale } = progress;
  const differ = random.chance(0.3) ? random.range(1, 6) : 0;
  const calls: Call[] = [bash('node scripts/compare.mjs corpus/', `4,118 files, ${differ} differ\n${'.'.repeat(60)}\n`)];
  ask(progress, ['Compare with the old parser on the corpus.', 'compare', 'Same trees as the old one?']).step('', '', ...calls);
  if (differ > 0)
    tale.step(
      '',
      `${differ} files differ. I look at the first.`,
      bash(
        'node scripts/compare.mjs corpus/ --first',
        `corpus/0${random.range(100, 999)}.src:${random.range(1, 90)}\n\u001b[31m- (${rule} (name) (body))\u001b[39m\n\u001b[32m+ (${rule} (name) (list) (body))\u001b[39m\n`,
      ),
    );
  tale.answer(
    differ > 0
      ? 'The new tree is right there: the old one lost an empty list. I noted the files in docs/differences.md.'
      : 'No difference in 4,118 files.',
  );
}

/** Prints what was parsed, and now and then mends the printer. */
function roundTrip(progress: Progress, rule: string): void {
  const { random, tale } = progress;
  const lost = random.chance(0.4) ? random.pick(['the comment before it', 'its blank line', 'the quotes it had']) : '';
  ask(progress, ['Does it print back what it read?', 'round trip?', 'Print it again and compare the bytes.']).step(
    '',
    '',
    bash(
      `node scripts/print.mjs corpus/ --rule ${rule} --check`,
      lost === '' ? 'all bytes equal\n' : `${random.range(2, 60)} files differ: ${lost}\n`,
    ),
  );
  if (lost !== '') {
    tale
      .step('', `The printer drops ${lost}.`, read('src/print.ts', `  ${rule}(node) {\n    this.children(node);\n  },\n`))
      .step(
        '',
        '',
        edit(
          'src/print.ts',
          random.range(40, 700),
          '    this.children(node);',
          '    this.trivia(node);\n    this.children(node);',
          [`  ${rule}(node) {`],
          ['  },'],
        ),
        bash(`node scripts/print.mjs corpus/ --rule ${rule} --check`, 'all bytes equal\n'),
      );
  }
  tale.answer(lost === '' ? 'Byte for byte.' : `Byte for byte now; the printer had lost ${lost}.`);
}

/** Tries something that does not work, and goes back. */
function deadEnd(progress: Progress, rule: string): void {
  const { random } = progress;
  const before = turn(progress);
  const idea = random.pick([
    'a table instead of functions',
    'one pass that builds the symbol table too',
    'generated code',
    'parsing on a worker thread',
  ]);
  ask(progress, [`Could ${idea} make \`${rule}\` faster?`])
    .step(
      `Worth measuring: ${idea}.`,
      'I measure it on the largest file.',
      bash('node bench/parse.mjs --largest', `before 41.2 ms\nafter  ${random.range(39, 58)}.${random.below(10)} ms\n`),
    )
    .answer('No: within the noise, and the code would be harder to read.')
    .back(before, `Measured ${idea} for ${rule}: no gain on the largest file (41 ms). Not taken.`);
}

function compact(progress: Progress): void {
  const { tale, ported, tests, random } = progress;
  tale.compact(
    turn(progress),
    `${ported} of ${RULES.length} rules`,
    summaryOf(ported, tests),
    ['scripts/compare.mjs', 'src/old/index.js'],
    RULES.slice(Math.max(0, ported - 6), ported).map((rule) => `src/grammar/${rule}.ts`),
  );
  if (random.chance(0.3)) tale.switchTo(random.pick(MODELS));
}
