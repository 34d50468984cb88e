import type { Part } from '../query/query.ts';

/** Begins all tags, so that no word of a text is one. A character of private use. */
const TAG = '\ue001';

/** What the index can tell of a document besides its text. */
export const tag = {
  session: (id: number): string => `${TAG}s${String(id)}`,
  part: (part: Part): string => `${TAG}p${part}`,
  role: (role: string): string => `${TAG}r${name(role)}`,
  type: (type: string): string => `${TAG}y${name(type)}`,
  tool: (tool: string): string => `${TAG}t${name(tool)}`,
};

/** All tags of a document, as the index takes them. */
export function tagsOf(
  session: number,
  { part, role, type, tool }: { part: Part; role: string; type: string; tool: string | null },
): string {
  const tags = [tag.session(session), tag.part(part), tag.role(role), tag.type(type)];
  if (tool !== null) tags.push(tag.tool(tool));
  return tags.join(' ');
}

/** Whatever people call their tools becomes one token; different names stay different. */
function name(text: string): string {
  let plain = '';
  for (const char of text.toLowerCase())
    plain += /[a-z0-9]/.test(char) ? char : `\ue002${char.codePointAt(0)!.toString(16)}\ue002`;
  return plain;
}
