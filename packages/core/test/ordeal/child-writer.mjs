/**
 * A program that writes sessions without pause until it is killed, and says what is acknowledged. Run with:
 * { core: address of the built package, agent: folder, cwds: [folder, folder], path?: a session to continue, seed,
 *   dialect, or encoding: then `agent` is a root of project directories }
 *
 * Each line on stdout is one fact: `at <path>` (the session lies there now), `has <id>` (appended), `blob <hash>`.
 */
import { writeSync } from 'node:fs';

const { core, agent, cwds, path, seed, dialect, encoding } = JSON.parse(process.argv[2]);
const { ProjectSessionStore, SessionManager } = await import(core);

let state = seed;
/** 0 ≤ x < 1, the same from the same seed. */
function random() {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 4294967296;
}

// A pipe that is full would block: facts are short, and the reader reads without pause.
const say = (fact) => writeSync(1, `${fact}\n`);

const options = encoding ? { store: new ProjectSessionStore({ root: agent, encoding }) } : { dialect };
const dir = (cwd) => (encoding ? undefined : `${agent}/sessions/${cwd === cwds[0] ? 'first' : 'second'}`);
let cwd = cwds[0];
const manager = path ? SessionManager.open(path, undefined, undefined, options) : SessionManager.create(cwd, dir(cwd), options);

const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 };
const image = () => Buffer.from(Array.from({ length: 1200 }, () => Math.floor(random() * 256))).toString('base64');

const ids = [];
/** Only from the first answer on is what was appended on disk. */
let answered = path !== undefined;
function appended(id) {
  ids.push(id);
  if (answered) for (const one of ids.splice(0)) say(`has ${one}`);
}

say('ready');
for (let n = 0; ; n++) {
  const text = 'x'.repeat(Math.floor(random() * 4000));
  appended(manager.appendMessage({ role: 'user', content: `${n} ${text}`, timestamp: n }));
  answered = true;
  const content = [{ type: 'text', text: `answer ${n}` }];
  appended(
    manager.appendMessage({
      role: 'assistant',
      content,
      api: 'a',
      provider: 'p',
      model: 'm',
      usage,
      stopReason: 'stop',
      timestamp: n,
    }),
  );
  if (n === 0) say(`at ${manager.getSessionFile()}`);
  const dice = random();
  if (dice < 0.1) {
    const data = image();
    appended(manager.appendMessage({ role: 'user', content: [{ type: 'image', data, mimeType: 'image/png' }], timestamp: n }));
    say(`image ${data.slice(0, 24)}`);
  } else if (dice < 0.2) {
    const before = manager.getEntries()[Math.floor(random() * manager.getEntries().length)];
    manager.branch(before.id);
  } else if (dice < 0.26) {
    await manager.setSessionName(`name ${n}`, 'user');
  } else if (dice < 0.32) {
    const rewriting = manager.rewriteEntries();
    // What is appended while the file is replaced counts like anything else.
    appended(manager.appendCustomEntry('meanwhile', { n }));
    await rewriting;
  } else if (dice < 0.38 && cwds.length > 1 && !path) {
    cwd = cwd === cwds[0] ? cwds[1] : cwds[0];
    await manager.moveTo(cwd, dir(cwd));
    say(`at ${manager.getSessionFile()}`);
  } else if (dice < 0.42) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
