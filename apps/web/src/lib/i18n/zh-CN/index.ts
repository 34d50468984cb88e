import { common } from './common.ts';
import { inspector } from './inspector.ts';
import { library } from './library.ts';
import { session } from './session.ts';
import { transcript } from './transcript.ts';

/** All Chinese texts, in a file of their own that only its readers fetch. */
export const zhCN = { common, library, session, transcript, inspector };
