/** For tests of this package and of what is built on it. Needs no test library; never imported by shipped code. */
export { blobContract, type BlobFixture } from './blob-contract.ts';
export { countingArray, countingObject, type Counted } from './counting.ts';
export { diskContract, type DiskFixture, type TestKit } from './disk-contract.ts';
export { session, SessionBuilder, type Extra } from './session-builder.ts';
export { storageContract, type StorageFixture } from './storage-contract.ts';
export { storageFaultContract, type FaultFixture } from './storage-faults.ts';
export { storeContract } from './store-contract.ts';
export { storeFaultContract, type FaultyGround } from './store-faults.ts';
export type { StoreFixture } from './store-fixture.ts';
