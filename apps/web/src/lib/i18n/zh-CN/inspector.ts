import type { Translation } from '../types.ts';
import type { inspector as english } from '../en/inspector.ts';

export const inspector: Translation<typeof english> = {};
