// `npm start`: installs and builds what is missing or outdated, then becomes the `stemma` command.
import { refuseOldNode } from './node-version.mjs';

refuseOldNode();
// Imported late: these files use syntax that an old Node cannot parse.
import('./commands.mjs').then((commands) => commands.start(process.argv.slice(2)));
