/** Asks oh-my-pi itself for the context of sessions: `bun omp.mjs <folder where it is installed>`. */
import { serve } from './serve.mjs';

const load = (name) => import(Bun.resolveSync(`@oh-my-pi/pi-coding-agent/session/${name}`, process.argv[2]));
const { buildSessionContext } = await load('session-context');
const { SessionManager } = await load('session-manager');

await serve(async ({ path }) => {
  const entries = (await SessionManager.open(path)).getEntries();
  return ({ leaf, options }) => buildSessionContext(entries, leaf, undefined, options);
});
