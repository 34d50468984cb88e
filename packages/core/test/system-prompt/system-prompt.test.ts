import { describe, expect, it } from 'vitest';

import { shapesFor, systemPromptAt, type ContextRules, type SystemPrompt } from '../../src/pure.ts';
import { session, type SessionBuilder } from '../../src/testing/index.ts';
import { decode } from '../support/decode.ts';

/*
 * Expectations typed from what Pi 1.6.0 answers (`getCurrentSystemMessage` over `buildSessionContext`, observed by
 * running both on 400 random sessions) and from its page on the session format.
 */

const asked: string[] = [];

async function promptAt(builder: SessionBuilder, leaf?: string, rules: ContextRules = 'pi'): Promise<SystemPrompt | null> {
  const { outline } = decode(builder);
  const bodies = builder.entries();
  asked.length = 0;
  const load = (rows: readonly number[]): Promise<typeof bodies> => {
    for (const row of rows) asked.push(outline.id(row));
    return Promise.resolve(rows.map((row) => bodies[row]!));
  };
  return systemPromptAt(outline, leaf === undefined ? outline.leafRow : outline.rowOf(leaf), shapesFor(rules), load);
}

/** `name=text <entry>` and `+tool (description) <entry>`. */
async function brief(builder: SessionBuilder, leaf?: string, rules?: ContextRules): Promise<string[] | null> {
  const prompt = await promptAt(builder, leaf, rules);
  if (prompt === null) return null;
  return [
    ...prompt.sections.map(({ name, text, fromEntryId }) => `${name}=${text} <${fromEntryId}>`),
    ...prompt.tools.map(({ name, description, fromEntryId }) => `+${name} (${description ?? ''}) <${fromEntryId}>`),
  ];
}

const tool = (name: string, description = name): Record<string, unknown> => ({ name, description, parameters: {} });

const stated = (): SessionBuilder =>
  session().message('system', {
    content: '',
    sections: { preamble: 'You help.', skills: 'one', cwd: '/w' },
    toolsAdded: [tool('read'), tool('write'), tool('bash')],
  });

describe('systemPromptAt', () => {
  it('is what the first system message states', async () => {
    expect(await brief(stated().user('go'))).toEqual([
      'preamble=You help. <e1>',
      'skills=one <e1>',
      'cwd=/w <e1>',
      '+read (read) <e1>',
      '+write (write) <e1>',
      '+bash (bash) <e1>',
    ]);
    expect(asked).toEqual(['e1']);
  });

  it('later ones replace parts in their place, null removes one, a new one comes last', async () => {
    const builder = stated()
      .user('go')
      .message('system', { content: '', sections: { skills: 'two', cwd: null, rules: 'be brief' } });
    expect((await brief(builder))!.slice(0, 3)).toEqual(['preamble=You help. <e1>', 'skills=two <e3>', 'rules=be brief <e3>']);
  });

  it('a part that was removed and comes back stands last', async () => {
    const builder = stated()
      .message('system', { content: '', sections: { preamble: null } })
      .message('system', { content: '', sections: { preamble: 'again' } });
    expect((await promptAt(builder))!.sections.map(({ name }) => name)).toEqual(['skills', 'cwd', 'preamble']);
  });

  it('tools go before they come, so that a change keeps one and a new declaration stands last', async () => {
    const builder = stated().message('system', {
      content: '',
      toolsRemoved: [{ name: 'read' }, { name: 'bash' }],
      toolsAdded: [tool('read', 'read, better')],
    });
    expect((await promptAt(builder))!.tools).toEqual([
      { name: 'write', description: 'write', fromEntryId: 'e1' },
      { name: 'read', description: 'read, better', fromEntryId: 'e2' },
    ]);
  });

  it('texts without a name add up, before the parts', async () => {
    const builder = session()
      .message('system', { content: 'Base.', sections: { cwd: '/w' } })
      .message('system', {
        content: [
          { type: 'text', text: 'More' },
          { type: 'text', text: 'still' },
        ],
      });
    expect(await brief(builder)).toEqual(['=Base. <e1>', '=More\nstill <e2>', 'cwd=/w <e1>']);
  });

  it('stands as it did at the leaf, and on its branch only', async () => {
    const builder = stated()
      .user('go')
      .message('system', { content: '', sections: { skills: 'two' } })
      .at('e2')
      .message('system', { content: '', sections: { skills: 'three' } });
    const skills = async (leaf: string): Promise<string | undefined> =>
      (await promptAt(builder, leaf))?.sections.find(({ name }) => name === 'skills')?.text;
    expect([await skills('e2'), await skills('e3'), await skills('e4')]).toEqual(['one', 'two', 'three']);
  });

  it('begins with what a compaction carries; system messages that it kept are not replayed', async () => {
    const builder = stated()
      .user('go')
      .message('system', { content: '', sections: { skills: 'two' } })
      .compaction('short', 'e2', {
        systemMessage: { role: 'system', content: '', sections: { skills: 'checked' }, toolsAdded: [tool('read')] },
      })
      .message('system', { content: '', sections: { rules: 'be brief' } });
    expect(await brief(builder)).toEqual(['skills=checked <e4>', 'rules=be brief <e5>', '+read (read) <e4>']);
    expect(asked).toEqual(['e4', 'e5']);
  });

  it('is unknown behind a compaction that carries none', async () => {
    expect(await brief(stated().user('go').compaction('short', 'e1').user('on'))).toBeNull();
  });

  it('is unknown where the file says nothing', async () => {
    expect(await brief(session().user('go').assistant('yes'))).toBeNull();
    expect(await brief(stated(), 'nothing')).toBeNull();
    expect(asked).toEqual([]);
  });

  it('reads fields of other types as absent', async () => {
    const builder = session().message('system', {
      content: null,
      sections: { ok: 'yes', number: 5, list: ['x'] },
      toolsAdded: 'read',
      toolsRemoved: [null, 'x'],
    });
    expect(await brief(builder)).toEqual(['ok=yes <e1>']);
  });

  describe('of a sub-session', () => {
    const init = (systemPrompt: unknown): SessionBuilder =>
      session()
        .entry('session_init', { systemPrompt, task: 'count', tools: ['read', 'grep'] })
        .user('count');

    it.each([
      ['You count.', ['=You count. <e1>']],
      [
        ['You count.', '', 'Be exact.'],
        ['=You count. <e1>', '=Be exact. <e1>'],
      ],
    ])('is what it was set up with: %j', async (systemPrompt, expected) => {
      expect(await brief(init(systemPrompt), undefined, 'musepi')).toEqual([...expected, '+read () <e1>', '+grep () <e1>']);
    });

    it('the last one counts, and a system message more than any', async () => {
      const twice = init('one').entry('session_init', { systemPrompt: 'two', task: 't', tools: [] });
      expect(await brief(twice, undefined, 'musepi')).toEqual(['=two <e3>']);
      expect(await brief(twice.message('system', { content: 'three' }), undefined, 'musepi')).toEqual(['=three <e4>']);
    });
  });
});
