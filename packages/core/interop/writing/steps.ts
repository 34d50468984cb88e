import type { Random } from '../random.ts';

/** An entry by its number, modulo how many there are when the step is made. */
export interface EntryRef {
  $entry: number;
}

/** What a writer is told to do, in words that every client's driver knows. */
export type Step = readonly [name: string, ...args: unknown[]];

const TEXTS = ['plain', 'two\nlines', 'Zeilen\u2028trenner', '悬空 😀', '"quoted" \\ back', ' spaces ', 'tab\tnul\u0000'];
const MODELS = [
  ['acme', 'large-1'],
  ['globex', 'vendor/mid-2'],
] as const;
/** Just over what oh-my-pi stores of one text, in characters. */
const TOO_LONG = 500_123;

/** A random piece of a session. @param omp also what only oh-my-pi has  @param first begin with a prompt and an answer. */
export function randomSteps(random: Random, { omp, first }: { omp: boolean; first: boolean }): Step[] {
  const steps: Step[] = first ? [user(random), assistant(random)] : [];
  for (let n = random.int(3, 14); n > 0; n--) steps.push(randomStep(random, omp));
  // Every piece ends with an answer, so that clients which hold back what has none write it.
  steps.push(assistant(random));
  return steps;
}

function randomStep(random: Random, omp: boolean): Step {
  const kind = random.weighted([
    [20, user],
    [25, assistant],
    [10, result],
    [5, (): Step => ['model', ...random.pick(MODELS), ...(omp && random.chance(0.5) ? ['smol'] : [])]],
    [5, (): Step => ['thinking', random.pick(['off', 'low', 'high'])]],
    [6, (): Step => ['label', anyEntry(random), random.pick(['here', 'there', null])]],
    [8, (): Step => ['branch', anyEntry(random)]],
    [2, (): Step => ['reset']],
    [4, (): Step => ['summary', random.chance(0.2) ? null : anyEntry(random), random.pick(['', 'what was tried'])]],
    [5, (): Step => ['compaction', `folded ${random.hex(4)}`, anyEntry(random), random.int(10, 90_000)]],
    [4, (): Step => ['custom', 'state', { n: random.int(0, 9), text: random.pick(TEXTS) }]],
    [4, (): Step => ['customMessage', 'note', random.pick(TEXTS), random.chance(0.5), { d: 1 }]],
    [4, (): Step => ['name', random.pick(['First name', 'Zweiter Name', '第三', 'a  b\nc'])]],
    ...(omp ? ompKinds(random) : []),
  ] as const);
  return kind(random);
}

function ompKinds(random: Random): (readonly [number, () => Step])[] {
  return [
    [3, () => ['tier', random.pick([null, { openai: 'priority' }, { google: 'flex' }])]],
    [3, () => ['mode', random.pick(['plan', 'none']), { file: 'plan.md' }]],
    [3, () => ['rules', [random.pick(['a', 'b']), 'c']]],
    [1, () => ['init', { systemPrompt: 'prompt', task: 'task', tools: ['read', 'edit'] }]],
    [3, () => user(random, [{ type: 'image', data: imageData(random), mimeType: 'image/png' }])],
    [1, () => user(random, [{ type: 'text', text: `long ${'x'.repeat(TOO_LONG)}` }])],
  ];
}

function anyEntry(random: Random): EntryRef {
  return { $entry: random.int(0, 1000) };
}

function user(random: Random, more: unknown[] = []): Step {
  const text = `${random.pick(TEXTS)} ${random.hex(6)}`;
  const content = more.length > 0 || random.chance(0.5) ? [{ type: 'text', text }, ...more] : text;
  return ['message', { role: 'user', content, timestamp: 1_760_000_000_000 }];
}

const USAGE = {
  ...{ input: 10, output: 5, cacheRead: 1, cacheWrite: 0, totalTokens: 16 },
  cost: { input: 0.1, output: 0.1, cacheRead: 0, cacheWrite: 0, total: 0.2 },
};

function assistant(random: Random): Step {
  const [provider, model] = random.pick(MODELS);
  const content: object[] = [{ type: 'text', text: `${random.pick(TEXTS)} ${random.hex(6)}` }];
  if (random.chance(0.4)) content.push({ type: 'thinking', thinking: 'hm', thinkingSignature: `s-${random.hex(8)}` });
  if (random.chance(0.4)) content.push({ type: 'toolCall', id: `call-${random.hex(2)}`, name: 'read', arguments: { path: 'a' } });
  const stopReason = random.pick(['stop', 'stop', 'toolUse', 'aborted', 'error']);
  const message = { role: 'assistant', content, api: 'api', provider, model, usage: USAGE, stopReason };
  return ['message', { ...message, timestamp: 1_760_000_001_000 }];
}

function result(random: Random): Step {
  const message = { role: 'toolResult', toolCallId: `call-${random.hex(2)}`, toolName: 'read', isError: random.chance(0.2) };
  return ['message', { ...message, content: [{ type: 'text', text: random.pick(TEXTS) }], timestamp: 1_760_000_002_000 }];
}

/** Canonical base64 of 300 to 3,000 bytes: some below what is kept apart, some above. */
function imageData(random: Random): string {
  return Buffer.from(Array.from({ length: random.int(300, 3000) }, () => random.int(0, 255))).toString('base64');
}
