/**
 * A foreign program at a session file until it is told to stop (stdin ends). `append`: adds whole lines, opening the file
 * anew each time. `rewrite`: reads the file, waits, and replaces it by what it had read and a line of its own, as a
 * program does that knows of no other. Says the id of each line that it wrote. In a compressed log each is a frame.
 */
import { appendFileSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';

const [what, file, core] = process.argv.slice(2);
const { compressFrame } = await import(core);
const stored = (line) => (file.endsWith('.zstd') ? compressFrame(Buffer.from(line)) : Buffer.from(line));
const stop = new AbortController();
process.stdin.on('end', () => stop.abort()).resume();

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

for (let n = 0; !stop.signal.aborted; n++) {
  const id = `${what[0]}${n.toString(16).padStart(7, '0')}`;
  const timestamp = new Date(1_800_000_000_000 + n).toISOString();
  const entry = stored(`${JSON.stringify({ type: 'custom', id, parentId: null, timestamp, customType: what, data: n })}\n`);
  if (what === 'append') {
    appendFileSync(file, entry);
    writeSync(1, `${id}\n`);
    await sleep(7);
  } else {
    const known = readFileSync(file);
    await sleep(11);
    writeFileSync(`${file}.foreign`, Buffer.concat([known, entry]));
    renameSync(`${file}.foreign`, file);
    writeSync(1, `${id}\n`);
    await sleep(120);
  }
}
