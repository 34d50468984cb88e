/** Short names for the tool calls of the told sessions. */
import type { Call } from './tale.ts';

export function read(path: string, out: string): Call {
  return { tool: 'read', args: { path }, out };
}

export function bash(command: string, out: string): Call {
  return { tool: 'bash', args: { command }, out };
}

/** A command that ends with `code`. */
export function bashFails(command: string, out: string, code = 1): Call {
  return { tool: 'bash', args: { command }, out: `${out}\n\nCommand exited with code ${code}`, failed: true };
}

export function grep(pattern: string, path: string, out: string): Call {
  return { tool: 'grep', args: { pattern, path }, out };
}

export function write(path: string, content: string): Call {
  return { tool: 'write', args: { path, content }, out: `Successfully wrote ${content.length} bytes to ${path}` };
}

/** An edit at a line (1-based), with the lines around it that the diff shows. */
export function edit(
  path: string,
  line: number,
  oldText: string,
  newText: string,
  above: string[] = [],
  below: string[] = [],
): Call {
  const gone = oldText.split('\n');
  const come = newText.split('\n');
  const width = String(line + Math.max(gone.length, come.length) + below.length).length;
  const row = (sign: string, n: number, text: string): string => `${sign}${String(n).padStart(width)} ${text}`;
  const diff = [
    ...above.map((text, i) => row(' ', line - above.length + i, text)),
    ...gone.map((text, i) => row('-', line + i, text)),
    ...come.map((text, i) => row('+', line + i, text)),
    ...below.map((text, i) => row(' ', line + come.length + i, text)),
  ].join('\n');
  return {
    tool: 'edit',
    args: { path, edits: [{ oldText, newText }] },
    out: `Successfully replaced 1 block(s) in ${path}.`,
    details: { diff, firstChangedLine: line },
  };
}
