/** Writes hostile inputs as session files into a folder: `tsx write.ts <folder> <name>…`. Each is named by its place in the list. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { inputNamed } from './inputs.ts';

const [folder, ...names] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name a folder.');
const bucket = path.join(folder, 'sessions', '--w--');
mkdirSync(bucket, { recursive: true });
for (const [i, name] of names.entries()) writeFileSync(path.join(bucket, `${String(i)}.jsonl`), inputNamed(name).bytes());
