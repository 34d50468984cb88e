import { childCount } from '@stemma/core/pure';

import { fmt, t } from '../i18n/index.ts';
import { captionAdvance, fitText } from './fit-text.ts';
import type { MapState } from './map-state.svelte.ts';
import { MAP } from './measures.ts';
import { COUNTED } from './run-lens.ts';
import { captionRow, runDuration } from './tree-model.ts';

/** Less room than this holds no caption worth reading. */
const LEAST = 44;

export interface NodeText {
  /** Cut to the room there is; empty without room. */
  caption: string;
  /** Entries and time; empty without room. */
  meta: string;
}

/** Room for a caption up to the nearest lane or the edge of what is seen, in steps, so that panning does not rewrite it at once. */
export function captionRoom(map: MapState, run: number, edge: number): number {
  const seen = edge - (map.layout.x[run] ?? 0) - MAP.caption - 6;
  return Math.max(0, Math.min(map.layout.room[run] ?? 0, Math.floor(seen / 8) * 8));
}

/** The number of entries as it stands in a capsule: in full, or in two digits and a unit where that is too wide. */
export function countText(length: number): string {
  if (length < 1000) return fmt.number(length);
  const step = 10 ** (Math.floor(Math.log10(length)) - 1);
  return fmt.compact(Math.round(length / step) * step);
}

/** The first prompt of a run in full. */
export function runTitle(map: MapState, run: number): string {
  const { columns } = map.scene;
  return columns.title[captionRow(map.tree, columns, run)] || t('session.tree.untitled');
}

/** "compaction 2 · 148k → 31k" */
export function compactionText(map: MapState, row: number): string {
  const n = map.compactionNumbers.get(row) ?? 1;
  const { tokensBefore, tokensAfter } = map.scene.compactions[n - 1] ?? { tokensBefore: null, tokensAfter: null };
  if (tokensBefore === null) return t('session.tree.compaction', { n });
  const before = fmt.compact(tokensBefore);
  if (tokensAfter === null) return t('session.tree.compaction_before', { n, before });
  return t('session.tree.compaction_tokens', { n, before, after: fmt.compact(tokensAfter) });
}

/** What stands beside a closed node of the map, in `room` map pixels. */
export function nodeText(map: MapState, run: number, room: number): NodeText {
  if (room < LEAST) return { caption: '', meta: '' };
  const row = map.tree.first[run]!;
  const label = map.scene.labels.get(row);
  if (map.tree.kind[run] === 'compaction') {
    const text = label === undefined ? compactionText(map, row) : `${compactionText(map, row)} · ${label}`;
    return { caption: fitText(text, room, captionAdvance), meta: '' };
  }
  if (label !== undefined) return { caption: fitText(label, room, captionAdvance), meta: '' };
  const length = map.tree.length[run]!;
  const time = length > 1 ? runDuration(map.tree, map.scene.columns, run) : null;
  const entries = t('common.entries', { n: length });
  const long = time === null ? entries : t('session.tree.entries_time', { entries, time: fmt.duration(time) });
  const short = time === null ? fmt.number(length) : `${fmt.number(length)} · ${fmt.duration(time)}`;
  const fits = (text: string): boolean => fitText(text, room, captionAdvance) === text;
  return { caption: fitText(runTitle(map, run), room, captionAdvance), meta: fits(long) ? long : fits(short) ? short : '' };
}

/** "12 folded", "1 dropped": what of a run does not reach the model as it is. */
function lensParts({ lens }: MapState, run: number): string[] {
  if (lens === null) return [];
  return COUNTED.filter((status) => lens.counts[status][run]! > 0).map((status) =>
    t(`session.status.${status}`, { n: lens.counts[status][run]! }),
  );
}

/** What a screen reader says of a node, and its tooltip. */
export function nodeName(map: MapState, run: number): string {
  const row = map.tree.first[run]!;
  const label = map.scene.labels.get(row);
  const branches = childCount(map.tree.children, run);
  const end = map.tree.end[run];
  return [
    map.tree.kind[run] === 'compaction' ? compactionText(map, row) : runTitle(map, run),
    label === undefined ? null : t('session.tree.says.label', { label }),
    t('common.entries', { n: map.tree.length[run]! }),
    run === map.leafRun ? t('session.tree.says.leaf') : map.onPath[run] === 1 ? t('session.tree.says.path') : null,
    branches > 1 ? t('session.tree.says.branches', { n: branches }) : null,
    ...lensParts(map, run),
    end === 'error' || end === 'aborted' ? t(`session.tree.${end}`) : null,
  ]
    .filter((part) => part !== null)
    .join(', ');
}
