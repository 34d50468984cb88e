import { rmSync } from 'node:fs';

/** Deletes the sessions of this run. */
export default function teardown(): void {
  const folder = process.env['E2E_FOLDER'];
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
