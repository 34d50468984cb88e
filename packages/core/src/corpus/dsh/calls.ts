import { useTool } from '../session/tools.ts';
import type { AnswerBlock } from './answer.ts';
import type { DshStory } from './story.ts';
import type { ToolOutcome } from './messages.ts';

type CallBlock = Extract<AnswerBlock, { type: 'tool-call' }>;

/** Longer results may be pruned, characters. */
const LONG_RESULT = 4000;

/** A call of the model, and what happens when the harness runs it. */
export interface PlannedCall {
  block: CallBlock;
  run: () => void;
}

/** One call of the usual tools, of the list of things to do, of a script with calls inside, or of a sub-agent. */
export function planCall(story: DshStory): PlannedCall {
  const { random, children } = story;
  const child = children.shift();
  if (child !== undefined) return delegate(story, child);
  if (random.chance(0.07)) return todo(story);
  if (random.chance(0.03)) return script(story);
  const use = useTool(story.scene());
  const block = callBlock(story, use.name, use.arguments);
  return {
    block,
    run: () => {
      const call = start(story, block);
      const rejected = use.name === 'bash' && random.chance(0.15) && !approved(story, block);
      story.writer.log.wait(random.logNormal(use.name === 'bash' ? 1800 : 60, 1));
      const text = rejected ? 'Error: the user rejected this command' : use.text;
      const failure = rejected ? { error: { name: 'ApprovalRejected', code: 'APPROVAL_REJECTED' } } : {};
      if (random.chance(0.04)) hook(story);
      const meta = use.details === undefined || rejected ? {} : { meta: use.details };
      finish(story, call, { ...outcome(block, text, use.isError || rejected), ...failure, ...meta });
    },
  };
}

export function callBlock(story: DshStory, name: string, args: object): CallBlock {
  return { type: 'tool-call', id: `call_00_${story.random.hex(24)}`, name, arguments: JSON.stringify(args) };
}

function start(story: DshStory, block: CallBlock): number {
  return story.writer.call(block);
}

function outcome({ id }: CallBlock, text: string, isError = false): ToolOutcome {
  return { callId: id, content: [{ type: 'text', text }], isError };
}

function finish(story: DshStory, call: number, result: ToolOutcome): void {
  const { seq, data } = story.writer.result(result, call);
  if (JSON.stringify(result.content).length > LONG_RESULT && story.longResults.length < 20) story.longResults.push({ seq, data });
}

/** Asks the person; answers whether the call may run. */
function approved({ writer, random }: DshStory, { id, name }: CallBlock): boolean {
  const ask = writer.id();
  writer.log.event('approval/asked', { id: ask, toolName: name, callId: id, reason: 'runs outside the sandbox' });
  writer.log.flush();
  writer.log.wait(random.logNormal(4000, 0.8));
  const rejected = random.chance(0.2);
  writer.log.event('approval/decided', { id: ask, outcome: rejected ? 'rejected' : 'allowed-once' });
  return !rejected;
}

/** A program of the person's that runs after a tool. */
function hook({ writer, random }: DshStory): void {
  const head = { turn: writer.turn, point: 'PostToolUse', handlerId: 'example:PostToolUse:1' };
  writer.log.event('hook/invoked', { ...head, dialect: 'example', matcher: 'bash' });
  writer.log.event('hook/result', { ...head, decision: 'allow', exitCode: 0, durationMs: random.range(2, 90) });
}

function todo(story: DshStory): PlannedCall {
  const { random, todos, writer } = story;
  const done = todos.find(({ status }) => status !== 'completed');
  if (done !== undefined) done.status = done.status === 'pending' ? 'in_progress' : 'completed';
  if (done === undefined || random.chance(0.3)) {
    const content = `${random.pick(['Read', 'Change', 'Test', 'Document'])} ${random.pick(story.paths)}`;
    todos.push({ content, status: 'pending' });
    if (todos.length > 9) todos.shift();
  }
  const list = todos.map((item) => ({ ...item }));
  const block = callBlock(story, 'todo_write', { todos: list });
  return {
    block,
    run: () => {
      const call = start(story, block);
      writer.log.event('todo/write', { todos: list });
      finish(story, call, outcome(block, `${list.length} items`));
    },
  };
}

/** A script that calls tools itself: its calls hang under it. */
function script(story: DshStory): PlannedCall {
  const { writer } = story;
  const block = callBlock(story, 'run_code', { code: 'for (const path of await tools.find({})) await tools.read({ path });' });
  const word = writer.log.form === 4 ? 'ptc' : 'code';
  return {
    block,
    run: () => {
      const call = start(story, block);
      for (let n = 1; n <= 2; n++) {
        const use = useTool(story.scene());
        const sub = { rootCallId: block.id, parentCallId: block.id, subCallId: `${block.id}:code:${n}` };
        const head = { ...sub, name: use.name, arguments: use.arguments };
        writer.log.event(`tool/${word}-dispatch-start`, head);
        writer.log.wait(40);
        writer.log.event(`tool/${word}-dispatch`, { ...head, content: [{ type: 'text', text: use.text }], isError: use.isError });
      }
      finish(story, call, outcome(block, '2 calls'));
    },
  };
}

function delegate(story: DshStory, child: { id: string; task: string }): PlannedCall {
  const { writer } = story;
  const block = callBlock(story, 'subagent', { description: child.task.slice(0, 40), prompt: child.task });
  return {
    block,
    run: () => {
      const call = start(story, block);
      if (writer.log.form === 4) {
        const label = child.task.slice(0, 40);
        writer.log.event('subagent/catalog', {
          version: 1,
          childId: child.id,
          childCreatedAt: writer.log.clock,
          mode: 'one-shot',
          label,
        });
      }
      writer.log.wait(60_000);
      finish(story, call, { ...outcome(block, `Done: ${child.task}`), meta: { childId: child.id } });
    },
  };
}
