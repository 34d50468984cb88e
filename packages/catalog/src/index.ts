/** The catalog: what is known of all sessions, derived from them, and the search in it. */
export { openCatalog, openCatalogForReading } from './db/open.ts';
export { DocWriter, type Doc, type NewDoc } from './db/docs.ts';
export { Search, type SearchAnswer, type SearchHit, type SearchRequest } from './search/search.ts';
export { snippetOf, type Snippet } from './search/snippet.ts';
