/** Reads a query from left to right. */
export class Scanner {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  get next(): string {
    return this.text[this.at] ?? '';
  }

  skipSpace(): void {
    while (!this.done && isSpace(this.next)) this.at++;
  }

  /** Takes a text that stands here; false where another one does. */
  take(text: string): boolean {
    if (!this.text.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  /** Is there a text here, and white space or the end behind it? */
  standsAlone(text: string): boolean {
    const after = this.text[this.at + text.length];
    return this.text.startsWith(text, this.at) && (after === undefined || isSpace(after));
  }

  /** Up to the next quote, or to the end where there is none. The opening one is taken already. */
  quoted(): string {
    const end = this.text.indexOf('"', this.at);
    const value = this.text.slice(this.at, end < 0 ? undefined : end);
    this.at = end < 0 ? this.text.length : end + 1;
    return value;
  }

  /** Up to white space, or to a bracket that closes one opened before. @param inGroup there is one */
  word(inGroup: boolean): string {
    const from = this.at;
    let open = 0;
    for (; !this.done && !isSpace(this.next); this.at++) {
      if (this.next === '(') open++;
      else if (this.next === ')') {
        if (open === 0 && inGroup) break;
        open = Math.max(0, open - 1);
      }
    }
    return this.text.slice(from, this.at);
  }

  /** The source of a regular expression up to the slash that ends it; null without one. The opening one is taken already. */
  regex(): string | null {
    const from = this.at;
    let inClass = false;
    for (let at = from; at < this.text.length; at++) {
      const char = this.text[at];
      if (char === '\\') at++;
      else if (char === '[') inClass = true;
      else if (char === ']') inClass = false;
      else if (char === '/' && !inClass) {
        this.at = at + 1;
        return this.text.slice(from, at);
      }
    }
    return null;
  }
}

export function isSpace(char: string): boolean {
  return /\s/u.test(char);
}
