/** Asks Pi itself (any version) for the context of sessions: `node pi.mjs <entry module of the package>`. */
import { pathToFileURL } from 'node:url';

import { serve } from './serve.mjs';

const pi = await import(pathToFileURL(process.argv[2]).href);

await serve(async ({ path }) => {
  const manager = pi.SessionManager.open(path);
  const entries = manager.getEntries();
  return ({ leaf }) => (leaf === undefined ? manager.buildSessionContext() : pi.buildSessionContext(entries, leaf));
});
