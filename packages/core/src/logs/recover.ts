/** What can be saved from a line that is not one JSON value. */

export interface Piece {
  value: unknown;
  /** Span in the line's text, UTF-16 units. */
  start: number;
  end: number;
}

export interface Recovered {
  pieces: Piece[];
  /** The line had runs of NUL. */
  nul: boolean;
}

const RECORD_START = /\{"type":"/g;
/** How many places in one line are tried; a hostile line must not cost more than a few passes. */
const MAX_TRIES = 64;

/** The JSON objects in a line that does not parse as a whole: records stuck together, records after damage, NUL around. */
export function recoverLine(text: string): Recovered {
  const nul = text.includes('\u0000');
  const pieces: Piece[] = [];
  let at = 0;
  let tries = 0;
  while (at < text.length && tries < MAX_TRIES) {
    const start = nextStart(text, at);
    if (start < 0) break;
    tries++;
    const end = objectEnd(text, start);
    const value = end < 0 ? undefined : parsed(text.slice(start, end));
    if (value === undefined) at = start + 1;
    else {
      pieces.push({ value, start, end });
      at = end;
    }
  }
  return { pieces, nul };
}

/** A record begins at the first brace of the line, after another record, or where its `type` stands first. */
function nextStart(text: string, from: number): number {
  let at = from;
  while (at < text.length && (text.charCodeAt(at) <= 32 || text.charCodeAt(at) === 0xfeff)) at++;
  if (text[at] === '{') return at;
  RECORD_START.lastIndex = at;
  return RECORD_START.exec(text)?.index ?? -1;
}

/** Index after the object that begins at `start`, or -1 when it does not close. Linear; knows strings and escapes. */
function objectEnd(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (inString) {
      if (unit === 92) at++;
      else if (unit === 34) inString = false;
    } else if (unit === 34) inString = true;
    else if (unit === 123 || unit === 91) depth++;
    else if (unit === 125 || unit === 93) {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // Not a record after all.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
