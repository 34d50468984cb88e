/** Lets Pi itself (any version) list sessions: `node pi-list.mjs <entry module of the package>`. */
import { pathToFileURL } from 'node:url';

import { serveListing } from './serve-listing.mjs';

const { SessionManager } = await import(pathToFileURL(process.argv[2]).href);

await serveListing({
  all: () => SessionManager.listAll(),
  folder: (path, cwd) => SessionManager.list(cwd, path),
});
