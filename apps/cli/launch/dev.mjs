// `pnpm dev`: compiler, server and the page with hot reload, all watching.
import { refuseOldNode } from './node-version.mjs';

refuseOldNode();
import('./commands.mjs').then((commands) => commands.dev(process.argv.slice(2)));
