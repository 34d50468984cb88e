import type { SessionDetail } from '@stemma/api/schemas';
import type { ToolCallItem } from '@stemma/core/pure';

import { asRecord, inlineJson } from '../text/json.ts';
import type { Kin } from './state.svelte.ts';
import { resultText } from './tools/summary.ts';

/** The family of a session, as far as it is known: the session that it comes from, then those that come from it. */
export function kinOf(detail: SessionDetail | null): Kin[] {
  if (detail === null) return [];
  const children = detail.children.flatMap(({ key, id, title }) => (id === null ? [] : { key, id, title, isParent: false }));
  const parentId = asRecord(detail.header)?.['parentSession'];
  const { parentKey } = detail.summary;
  if (parentKey === null || typeof parentId !== 'string') return children;
  return [{ key: parentKey, id: parentId, title: null, isParent: true }, ...children];
}

/** Texts longer than this are not looked through. */
const LOOKED_AT = 20_000;

/** The sessions that a call or its result names. */
export function namedBy(item: ToolCallItem, kin: readonly Kin[]): Kin[] {
  if (kin.length === 0) return [];
  const said = [
    inlineJson(item.args, LOOKED_AT),
    inlineJson(item.result?.details ?? null, LOOKED_AT),
    resultText(item.result).slice(0, LOOKED_AT),
  ].join('\n');
  return kin.filter(({ id, isParent }) => !isParent && id !== '' && said.includes(id));
}
