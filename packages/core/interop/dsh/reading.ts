export interface Reading {
  events: { type: string; seq: number }[];
  surface: number[];
  closers: unknown[];
}
export async function compareReading(_root: string, _path: string, _theirs: Reading): Promise<string | null> {
  await Promise.resolve();
  return null;
}
