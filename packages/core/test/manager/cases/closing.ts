import { buildSessionContext } from '../../../src/context/build-context.ts';
import { session } from '../../../src/testing/session-builder.ts';
import { assistant, user } from '../world.ts';
import { FILE, types, type WorkedCase } from './kit.ts';

export const closing: WorkedCase[] = [
  {
    source: 'product 4.2',
    name: 'an interrupted turn is closed by what is said next, not by opening nor by a setting',
    dialect: 'pi',
    run(world) {
      const call = (id: string): Record<string, string> => ({ type: 'toolCall', id, name: 'bash' });
      const text = session({ cwd: '/work/app' })
        .user('go')
        .assistant([call('c1'), call('c2')] as never, { stopReason: 'toolUse' })
        .result('c1', 'ok')
        .text();
      world.put(FILE, text);
      const manager = world.open(FILE);
      const untouched = world.text(FILE) === text;
      manager.appendModelChange('p', 'm');
      manager.appendMessage(user('next'));
      const messages = buildSessionContext(manager.getEntries(), undefined, undefined, { rules: 'pi' }).messages;
      return [untouched, messages.map(({ role, toolCallId, isError }) => [role, toolCallId, isError])];
    },
    result: [
      true,
      [
        ['user', undefined, undefined],
        ['assistant', undefined, undefined],
        ['toolResult', 'c1', false],
        ['toolResult', 'c2', true],
        ['user', undefined, undefined],
      ],
    ],
  },
  {
    source: 'product 4.2',
    name: 'an agent that takes up the turn again answers its calls itself',
    dialect: 'pi',
    run(world) {
      world.put(FILE, session({ cwd: '/work/app' }).user('go').call('c1', 'bash').text());
      const manager = world.open(FILE);
      manager.appendMessage({ role: 'toolResult', toolCallId: 'c1', toolName: 'bash', content: [], isError: false });
      manager.appendMessage(assistant('done'));
      return types(manager).length;
    },
    result: 4,
  },
];
