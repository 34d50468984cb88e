import { piRules } from '../context/rules-pi.ts';
import { sessionInfo } from '../entries/session-info.ts';
import { absoluteBucket } from './buckets.ts';
import type { Shapes } from './define-shapes.ts';

export const pi: Shapes = {
  id: 'pi',
  events: false,
  folders: ['.pi'],
  isBucketName: (name) => name.startsWith('--') && name.endsWith('--'),
  weigh({ header, splitModelChange }) {
    if (splitModelChange === true) return 2;
    // Version 1 headers carried the model and the file that they were branched from.
    if (header?.version === undefined && header?.['provider'] !== undefined && header['modelId'] !== undefined) return 2;
    return header?.branchedFrom === undefined ? 0 : 1;
  },
  context: piRules,
  emptyForNull: true,
  titleEntry: sessionInfo.type,
  modifiedBy: 'message',
  writes: {
    agentFolder: ['.pi', 'agent'],
    flatFolderVariable: 'PI_CODING_AGENT_SESSION_DIR',
    bucketName: (cwd) => absoluteBucket(cwd),
    legacyBuckets: null,
    compact: false,
    modelChange: (provider, modelId) => ({ provider, modelId }),
    thinkingLevelChange: (level) => ({ thinkingLevel: level ?? 'off' }),
    extensionFlag: 'fromHook',
    rename: (name) => ({ entry: { type: sessionInfo.type, name }, header: {} }),
    cleanName: (name) => name.replace(/[\r\n]+/g, ' ').trim(),
    forkParent: 'path',
    forkHeader: () => ({}),
    branchAtOnce: false,
    branchFrom: 'leaf',
    attribution: false,
  },
};
