import { ApiError } from '../api/errors.ts';
import { t } from './language.svelte.ts';

/** What went wrong, in words of the current language. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError))
    return t('common.error.other', { message: error instanceof Error ? error.message : String(error) });
  switch (error.code) {
    case 'unreachable':
      return t('common.error.unreachable');
    case 'bad_answer':
      return t('common.error.bad_answer', { status: error.status });
    case 'session_not_found':
      return t('common.error.session_not_found');
    case 'entry_not_found':
      return t('common.error.entry_not_found');
    default:
      return t('common.error.other', { message: error.message });
  }
}
