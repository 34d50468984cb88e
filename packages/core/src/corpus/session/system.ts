/** Newer Pi sessions keep the system prompt and the tools in the log: one message states all, later ones patch it. */
import { paragraph } from '../text/prose.ts';
import type { Story } from './story.ts';

const TOOLS = ['read', 'bash', 'edit', 'write', 'grep', 'find', 'ls'];

/** States prompt and tools before the first prompt of some Pi sessions. */
export function statePrompt(story: Story): void {
  if (story.dialect.name !== 'pi' || story.random.chance(0.5)) return;
  const preamble = `You are a coding agent working in ${story.cwd}. ${paragraph(story.random, 300)}`;
  const system = { sections: { preamble, cwd: story.cwd }, tools: TOOLS };
  story.system = system;
  write(story, { sections: system.sections, toolsAdded: system.tools.map(declaration) });
}

/** Changes one section, or takes a tool away or gives it back. */
export function patchPrompt(story: Story): void {
  const { random, system } = story;
  if (system === undefined) return;
  const name = 'ls';
  if (random.chance(0.5)) {
    const skills = random.chance(0.3) ? null : paragraph(random, 120);
    const { skills: _old, ...others } = system.sections;
    story.system = { ...system, sections: skills === null ? others : { ...others, skills } };
    write(story, { sections: { skills } });
  } else if (system.tools.includes(name)) {
    story.system = { ...system, tools: system.tools.filter((tool) => tool !== name) };
    write(story, { toolsRemoved: [{ name }] });
  } else {
    story.system = { ...system, tools: [...system.tools, name] };
    write(story, { toolsAdded: [declaration(name)] });
  }
}

/** What a compaction carries: the whole prompt in force, as one system message. */
export function checkpoint({ system, log }: Story): object | undefined {
  if (system === undefined) return undefined;
  return {
    role: 'system',
    content: '',
    sections: system.sections,
    toolsAdded: system.tools.map(declaration),
    timestamp: log.clock,
  };
}

function write({ log }: Story, patch: object): void {
  log.append('message', { message: { role: 'system', content: '', ...patch, timestamp: log.clock } });
}

function declaration(name: string): object {
  const parameters = { type: 'object', properties: { path: { type: 'string' } } };
  return { name, description: `The ${name} tool.`, parameters };
}
