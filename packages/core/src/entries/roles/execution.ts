import type { TranscriptItem } from '../../transcript/items.ts';
import { itemBase, type ItemPlace } from '../define-entry.ts';
import type { RawRecord } from '../entry.ts';
import { setFlag, type EntryFacts } from '../facts.ts';
import { clip } from '../parts.ts';
import { asNumber, asString } from '../read.ts';
import { defineRole, type MessageRole } from './define-role.ts';

/** A command that the user ran (`!`), or ran without telling the model (`!!`). */
function executionRole(role: string, language: string, sourceField: string): MessageRole {
  return defineRole({
    role,
    describe(message: RawRecord, facts: EntryFacts): void {
      const source = asString(message[sourceField]) ?? '';
      facts.title = source;
      facts.chars = source.length + (asString(message['output']) ?? '').length;
      const exit = asNumber(message['exitCode']);
      setFlag(facts, 'error', exit !== null && exit !== 0);
      setFlag(facts, 'aborted', message['cancelled'] === true);
      setFlag(facts, 'excluded', message['excludeFromContext'] === true);
    },
    items(message: RawRecord, place: ItemPlace): TranscriptItem[] {
      const output = clip(asString(message['output']) ?? '');
      return [
        {
          ...itemBase(place, 0),
          kind: 'bash',
          language,
          command: clip(asString(message[sourceField]) ?? '').text,
          output: output.text,
          exitCode: asNumber(message['exitCode']),
          cancelled: message['cancelled'] === true,
          excluded: message['excludeFromContext'] === true,
          cutByAgent: message['truncated'] === true,
          fullOutputPath: asString(message['fullOutputPath']),
          ...(output.truncated === undefined ? {} : { truncated: output.truncated }),
        },
      ];
    },
  });
}

export const bashExecution = executionRole('bashExecution', 'bash', 'command');
export const pythonExecution = executionRole('pythonExecution', 'python', 'code');
