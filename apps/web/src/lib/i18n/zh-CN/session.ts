import type { Translation } from '../types.ts';
import type { session as english } from '../en/session.ts';

export const session: Translation<typeof english> = {};
