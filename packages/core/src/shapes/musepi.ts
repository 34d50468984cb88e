import { musepiRules } from '../context/rules-musepi.ts';
import { asString } from '../entries/read.ts';
import { titleChange } from '../entries/title-change.ts';
import { homeBucket, homeLegacy } from './buckets.ts';
import type { Shapes } from './define-shapes.ts';

const CONTROL = /[\u0000-\u001f\u007f-\u009f]+/g;

/** MusePi and oh-my-pi. */
export const musepi: Shapes = {
  id: 'musepi',
  events: false,
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
    flatFolderVariable: null,
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
    cleanName: (name) => name.replace(CONTROL, ' ').replace(/ +/g, ' ').trim() || null,
    forkParent: 'id',
    forkHeader: (source) => ({
      ...(source.title === undefined ? {} : { title: source.title }),
      ...(source.titleSource === undefined ? {} : { titleSource: source.titleSource }),
      ...(Array.isArray(source['additionalDirectories']) ? { additionalDirectories: source['additionalDirectories'] } : {}),
      providerPromptCacheKey: asString(source['providerPromptCacheKey']) ?? source.id,
    }),
    branchAtOnce: true,
    branchFrom: 'target',
    attribution: true,
  },
};
