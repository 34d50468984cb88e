/** Bytes under the SHA-256 of their content. */
export interface BlobStore {
  /** Stores bytes unless they are there already; answers 64 lower-case hex digits. On disk when it returns. @throws `storage_io` */
  put(bytes: Uint8Array): string;
  /** Undefined when there is no such blob. @throws `blob_corrupt` when the content does not have that hash, `storage_io` */
  get(hash: string): Promise<Uint8Array | undefined>;
  getSync(hash: string): Uint8Array | undefined;
  has(hash: string): boolean;
}
