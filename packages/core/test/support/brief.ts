import type { AgentMessage, ContentPart, ToolOutcome, TranscriptItem } from '../../src/pure.ts';

/** Short texts that say everything about a message or item that a rule can change. Expectations are written in them. */

type Loose = Record<string, unknown>;

function block(raw: unknown): string {
  const content = raw as Loose;
  switch (content['type']) {
    case 'text':
      return String(content['text']);
    case 'thinking':
      return `<thinking${content['thinkingSignature'] === undefined ? '' : ' signed'}: ${String(content['thinking'])}>`;
    case 'toolCall':
      return `<call ${String(content['id'])}>`;
    case 'redactedThinking':
      return '<redacted>';
    default:
      return `<${String(content['type'])}>`;
  }
}

function contentOf(message: AgentMessage): string {
  const { content } = message;
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.length === 0 ? '<nothing>' : content.map(block).join(' + ');
  return content === null ? '<null>' : '<none>';
}

/** `role: content`; what else distinguishes a role stands in parentheses. */
export function briefMessage(message: AgentMessage): string {
  const by = message['attribution'] === undefined ? '' : ` by ${String(message['attribution'])}`;
  switch (message.role) {
    case 'custom':
      return `custom(${String(message['customType'])})${by}: ${contentOf(message)}`;
    case 'toolResult':
      return `toolResult(${String(message['toolCallId'])}): ${contentOf(message)}`;
    case 'branchSummary':
      return `branchSummary(${String(message['fromId'])}): ${String(message['summary'])}`;
    case 'compactionSummary':
      return `compactionSummary: ${String(message['summary'])}`;
    case 'bashExecution':
      return `bashExecution: ${String(message['command'])}`;
    default:
      return `${message.role}: ${contentOf(message)}`;
  }
}

function part(content: ContentPart): string {
  switch (content.type) {
    case 'text':
      return content.text;
    case 'thinking':
      return content.redacted === true ? '<redacted>' : `<thinking: ${content.text}>`;
    case 'image':
      return `<image ${String(content.image.index)} ${content.image.mimeType}>`;
    default:
      return `<${content.name}>`;
  }
}

const parts = (list: readonly ContentPart[]): string => (list.length === 0 ? '<nothing>' : list.map(part).join(' + '));

function outcome(result: ToolOutcome | null): string {
  if (result === null) return '<no result>';
  return `${result.isError ? 'error ' : ''}${result.entryId} ${parts(result.parts)}`;
}

/** `kind entry#block: what is shown` */
export function briefItem(item: TranscriptItem): string {
  const head = `${item.kind} ${item.id}`;
  switch (item.kind) {
    case 'user':
      return `${head}: ${item.role === 'user' ? '' : `(${item.role}) `}${item.skill === undefined ? '' : `(skill ${item.skill.name}: ${item.skill.text}) `}${parts(item.parts)}`;
    case 'assistant':
      return `${head}: ${parts(item.parts)}`;
    case 'toolCall':
      return `${head}: ${item.name} ${item.callId} ${JSON.stringify(item.args)} → ${outcome(item.result)}`;
    case 'toolResult':
      return `${head}: ${item.name} ${item.callId} → ${outcome(item.result)}`;
    case 'bash':
      return `${head}: ${item.language} ${item.command} → ${item.output} (${String(item.exitCode)}${item.cancelled ? ', cancelled' : ''}${item.excluded ? ', excluded' : ''})`;
    case 'custom':
      return `${head}: ${item.customType}${item.display ? '' : ' hidden'} ${parts(item.parts)}`;
    case 'system':
      return `${head}: ${item.sections.map(({ name, text }) => `${name}=${String(text)}`).join(', ')} +[${item.toolsAdded.join()}] -[${item.toolsRemoved.join()}]`;
    case 'compaction':
      return `${head}: ${item.summary} (kept ${String(item.firstKeptEntryId)}, ${String(item.tokensBefore)} → ${String(item.tokensAfter)})`;
    case 'branchSummary':
      return `${head}: ${item.summary} (from ${String(item.fromId)})`;
    case 'settings':
      return `${head}: ${item.setting}${item.role === null ? '' : ` of ${item.role}`} = ${String(item.value)}`;
    case 'notice':
      return `${head}: ${item.notice} ${String(item.value)} (${String(item.targetId)})`;
    case 'unknown':
      return `${head}: ${item.type}`;
  }
}
