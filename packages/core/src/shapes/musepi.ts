import { musepiRules } from '../context/rules-musepi.ts';
import { titleChange } from '../entries/title-change.ts';
import { homeBucket, homeLegacy } from './buckets.ts';
import type { Shapes } from './define-shapes.ts';

/** MusePi and oh-my-pi. */
export const musepi: Shapes = {
  id: 'musepi',
  folders: ['.musepi', '.omp'],
  isBucketName: (name) => /^-(?!-)/.test(name),
  weigh({ header, titleSlot, splitModelChange }) {
    if (titleSlot !== null || header?.titleSource !== undefined || header?.['providerPromptCacheKey'] !== undefined) return 2;
    if (splitModelChange === false) return 2;
    return header?.title === undefined ? 0 : 1;
  },
  context: musepiRules,
  emptyForNull: false,
  titleEntry: null,
  modifiedBy: 'file',
  writes: {
    agentFolder: ['.musepi', 'agent'],
    bucketName: homeBucket,
    legacyBuckets: homeLegacy,
    compact: true,
    modelChange: (provider, modelId, role) => ({ model: `${provider}/${modelId}`, ...(role === undefined ? {} : { role }) }),
    thinkingLevelChange: (level) => ({ thinkingLevel: level, configured: level }),
    extensionFlag: 'fromExtension',
    rename: (name, source, header) => ({
      entry: {
        type: titleChange.type,
        title: name,
        source,
        ...(header.title === undefined ? {} : { previousTitle: header.title }),
      },
      header: { title: name, titleSource: source },
    }),
    forkParent: 'id',
  },
};
