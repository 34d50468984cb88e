import type { ContentPart, TranscriptItem } from '@stemma/core/pure';

import { prettyJson } from '../text/json.ts';
import { resultText, toolCommand } from './tools/summary.ts';

function partsText(parts: readonly ContentPart[]): string {
  const texts = parts.map((part) => {
    if (part.type === 'text') return part.text;
    return part.type === 'other' ? part.json : '';
  });
  return texts.filter((text) => text !== '').join('\n\n');
}

/** What "copy" puts on the clipboard: the text of a block as it was written, without thinking, labels or marks of ours. */
export function plainText(item: TranscriptItem): string {
  switch (item.kind) {
    case 'user':
    case 'assistant':
    case 'custom':
      return partsText(item.parts);
    case 'toolCall': {
      const result = resultText(item.result);
      return [toolCommand(item.args) ?? prettyJson(item.args), result].filter((text) => text !== '').join('\n\n');
    }
    case 'toolResult':
      return resultText(item.result);
    case 'bash':
      return `${item.command}\n\n${item.output}`;
    case 'system':
      return item.sections.map((section) => section.text ?? '').join('\n\n');
    case 'compaction':
    case 'branchSummary':
      return item.summary;
    case 'settings':
    case 'notice':
      return item.value ?? '';
    case 'unknown':
      return item.json;
  }
}
