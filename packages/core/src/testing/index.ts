/** For tests of this package and of what is built on it. Needs no test library; never imported by shipped code. */
export { countingArray, countingObject, type Counted } from './counting.ts';
export { diskContract, type DiskFixture, type TestKit } from './disk-contract.ts';
export { session, SessionBuilder, type Extra } from './session-builder.ts';
