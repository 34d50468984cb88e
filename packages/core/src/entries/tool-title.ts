import { asNumber, asRecord, asString } from './read.ts';

/**
 * One line that says what a tool call does: the command, the path and range, the pattern; else its arguments.
 * For lists and captions, never a parse of the tool's meaning.
 */
export function callTitle(name: string, args: unknown): string {
  const fields = asRecord(args);
  const path = asString(fields['path']) ?? asString(fields['file_path']) ?? asString(fields['filePath']);
  const command = asString(fields['command']);
  const pattern = asString(fields['pattern']) ?? asString(fields['query']);
  if (command !== null) return `${name} ${command}`;
  if (pattern !== null) return `${name} ${pattern}${path === null ? '' : ` in ${path}`}`;
  if (path !== null) return `${name} ${path}${range(fields)}`;
  if (args === null || args === undefined) return name;
  return `${name} ${firstText(fields)}`;
}

function range(fields: Record<string, unknown>): string {
  const offset = asNumber(fields['offset']);
  const limit = asNumber(fields['limit']);
  if (offset === null && limit === null) return '';
  const from = offset ?? 1;
  return limit === null ? `:${String(from)}` : `:${String(from)}-${String(from + limit - 1)}`;
}

function firstText(fields: Record<string, unknown>): string {
  for (const value of Object.values(fields)) if (typeof value === 'string' && value !== '') return value;
  return '';
}
