import { musepiRules } from '../context/rules-musepi.ts';
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
};
