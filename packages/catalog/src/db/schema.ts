/** "STMA": says that the file is a catalog of ours. */
export const APPLICATION_ID = 0x53544d41;

/** A catalog of another version is made anew: everything in it can be derived again. */
export const SCHEMA_VERSION = 1;

/**
 * A document's id is its time in ms × 4096 and a number, so that the newest come first in the order of ids. The index keeps no
 * text; it gets our own tokens, separated by spaces, and these must stay whole: letters, numbers, marks, and the signs of
 * private use that stand for others.
 */
export const SCHEMA = `
CREATE TABLE session (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  root TEXT NOT NULL,
  -- The row of the library, as JSON.
  row TEXT NOT NULL,
  cwd TEXT,
  title TEXT,
  native TEXT,
  models TEXT NOT NULL DEFAULT '',
  -- A bit for each row of the outline: 1 where it is on the way to the leaf, and where the model does not see it any more.
  active BLOB,
  folded BLOB,
  -- What the documents were made from; null before there are some.
  indexed TEXT,
  -- Epoch ms since when the file is missing; null while it is there.
  gone INTEGER
) STRICT;
CREATE INDEX session_root ON session(root);
CREATE TABLE doc (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  -- Row of the outline; -1 for the title.
  row INTEGER NOT NULL,
  entry TEXT,
  part INTEGER NOT NULL,
  role TEXT NOT NULL,
  type TEXT NOT NULL,
  tool TEXT,
  error INTEGER NOT NULL,
  -- UTF-8; deflated where that is shorter.
  text BLOB NOT NULL,
  deflated INTEGER NOT NULL
) STRICT;
CREATE INDEX doc_session ON doc(session, row);
CREATE VIRTUAL TABLE fts USING fts5(
  text, tags, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co M*'"
);
CREATE VIRTUAL TABLE term USING fts5vocab(fts, 'col');
CREATE TABLE label (session INTEGER NOT NULL, row INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (session, row)) STRICT;
CREATE TABLE file (
  path TEXT NOT NULL,
  session INTEGER NOT NULL,
  row INTEGER NOT NULL,
  -- read, write, edit or search
  kind TEXT NOT NULL,
  time INTEGER,
  PRIMARY KEY (path, session, row, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX file_session ON file(session, row);
`;
