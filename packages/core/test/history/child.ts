/** A program that adds prompts: `tsx child.ts <database> <how it ends> <name> <count>`. Prints each prompt that is on disk. */
import { HistoryStorage } from '../../src/history/index.ts';

const [at = '', ending = '', name = '', count = '0'] = process.argv.slice(2);

const history = HistoryStorage.open(at);
const added: Promise<void>[] = [];

function add(prompt: string): void {
  added.push(history.add(prompt, '/work', name).then(() => process.stdout.write(`${prompt}\n`)) as Promise<never>);
}

for (let n = 0; n < Number(count); n++) add(`${name} ${String(n)}`);

if (ending === 'exit') process.exit(3);
if (ending === 'throw') throw new Error('It went wrong.');
if (ending === 'close') await history.close();
if (ending === 'steps') {
  // One transaction after the other, so that those of several processes meet.
  for (let n = 0; n < Number(count); n++) {
    add(`${name} again ${String(n)}`);
    await history.flush();
  }
}
if (ending === 'killed') {
  for (let n = Number(count); ; n++) {
    add(`${name} ${String(n)}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
