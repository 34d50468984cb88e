import { diskCode } from '../disk/disk.ts';
import { SessionStoreError } from '../errors.ts';

/** What a platform error means for a session. Paths stay in `data`: messages may be shown. */
export function storeError(error: unknown, path: string): SessionStoreError {
  if (error instanceof SessionStoreError) return error;
  const code = diskCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new SessionStoreError('session_not_found', 'The session file is gone.', { path }, error);
  return new SessionStoreError(
    'storage_io',
    `The session file cannot be read (${code ?? 'unknown error'}).`,
    { path, errno: code },
    error,
  );
}
