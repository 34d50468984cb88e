import type { Translation } from '../types.ts';
import type { transcript as english } from '../en/transcript.ts';

export const transcript: Translation<typeof english> = {};
