import type { library as english } from '../en/library.ts';
import type { Translation } from '../types.ts';

export const library: Translation<typeof english> = {};
