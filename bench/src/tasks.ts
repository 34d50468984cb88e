import {
  buildSessionContext,
  inParallel,
  modelContext,
  openRoot,
  readSession,
  sessionShape,
  transcriptPage,
  transcriptView,
  treeOrder,
} from '@stemma/core';
import { statSync } from 'node:fs';

import { COMPRESSED_TASKS } from './compressed.ts';
import { dataFolder, sessionFiles } from './data.ts';
import { parseLines, readEnds } from './loops.ts';
import { opened, type Timed } from './tasks-shared.ts';
import { WRITING_TASKS } from './writing.ts';

/** One thing to measure, run in a process of its own. Answers a figure that shows it did the work, perhaps with its own time. */
export type Task = () => Promise<number | Timed> | number | Timed;

export const TASKS = {
  'drop loop, 100 MB': () => parseLines(sessionFiles(dataFolder('session100'))[0]!, () => undefined),
  'keep loop, 100 MB': () => {
    const kept: unknown[] = [];
    parseLines(sessionFiles(dataFolder('session100'))[0]!, (value) => kept.push(value));
    return kept.length;
  },
  'outline, 100 MB': async () => (await opened(dataFolder('session100'))).outline.rowCount,
  'tree and context, bodies kept, 100 MB': async () => {
    const { entries } = await readSession(sessionFiles(dataFolder('session100'))[0]!);
    return buildSessionContext(entries, undefined, undefined, { rules: 'pi' }).messages.length + entries.length;
  },
  'drop loop, 1 GB': () => parseLines(sessionFiles(dataFolder('session1g'))[0]!, () => undefined),
  'outline, tree, context, first and last page, 1 GB': async () => {
    const { outline, shapes, load } = await opened(dataFolder('session1g')).then((reader) => ({
      outline: reader.outline,
      shapes: reader.shapes,
      load: (rows: readonly number[]) => reader.load(rows),
    }));
    const tree = treeOrder(outline.parents());
    const view = transcriptView(outline, outline.leafRow, 'full', shapes);
    const last = await transcriptPage(outline, view, load, { limit: 60 });
    const first = await transcriptPage(outline, view, load, { around: view.rows[0]!, limit: 60 });
    const context = modelContext(outline, outline.leafRow, shapes);
    const shape = sessionShape(outline, outline.leafRow);
    return tree.order.length + last.items.length + first.items.length + context.emissions.length + shape.lanes.length;
  },
  'ends of 1,000 files, bare': () =>
    readEnds(sessionFiles(dataFolder('store550')), 8 * 1024, 32 * 1024, (path) => statSync(path).size),
  'list of 1,000 sessions': async () => {
    const root = await openRoot({ path: dataFolder('store550') });
    const { sessions } = await root.scan();
    await inParallel(sessions, 8, async (file) => void (await root.summarise(file)));
    return sessions.length;
  },
  ...WRITING_TASKS,
  ...COMPRESSED_TASKS,
} satisfies Record<string, Task>;

export type TaskName = keyof typeof TASKS;
