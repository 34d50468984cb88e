/** The members of an object or array, or null for any other value. */
export function childrenOf(value: unknown): [name: string, value: unknown][] | null {
  return typeof value === 'object' && value !== null ? Object.entries(value) : null;
}

/** A value on part of a line: how much is inside, or the value itself when nothing can be. */
export function preview(value: unknown): string {
  const children = childrenOf(value);
  if (children === null) return JSON.stringify(value) ?? '';
  if (Array.isArray(value)) return `[${children.length}]`;
  if (children.length === 0) return '{}';
  const names = children.slice(0, 4).map(([name]) => name);
  return `{ ${names.join(', ')}${children.length > names.length ? ', …' : ''} }`.slice(0, 120);
}
