/** Lets oh-my-pi itself list sessions: `bun omp-list.mjs <folder where it is installed>`. */
import { serveListing } from './serve-listing.mjs';

const load = (name) => import(Bun.resolveSync(`@oh-my-pi/pi-coding-agent/session/${name}`, process.argv[2]));
const { listAllSessions, listSessionsReadOnly, resolveResumableSession } = await load('session-listing');
const { FileSessionStorage } = await load('session-storage');

const storage = new FileSessionStorage();

await serveListing({
  all: (root) => listAllSessions(storage, root),
  folder: (path) => listSessionsReadOnly(path, storage),
  resume: async (arg) => (await resolveResumableSession(arg, process.cwd(), undefined, storage))?.session.path ?? null,
});
