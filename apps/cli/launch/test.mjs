// `npm test`: installs and builds, runs every check and test, closes with a line `N passed, N failed`.
import { refuseOldNode } from './node-version.mjs';

refuseOldNode();
import('./commands.mjs').then((commands) => commands.test(process.argv.slice(2)));
