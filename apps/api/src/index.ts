export * as schemas from './schemas/index.ts';
