import { Persisted } from './persisted.svelte.ts';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

function isTheme(value: unknown): value is Theme {
  return THEMES.some((theme) => theme === value);
}

/** The person's choice; `auto` follows the system. */
export const themeChoice = new Persisted<Theme>('stemma.theme', 'auto', isTheme);

/** Writes the choice where the style sheet looks for it. */
export function applyTheme(theme: Theme, root: HTMLElement): void {
  if (theme === 'auto') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
}
