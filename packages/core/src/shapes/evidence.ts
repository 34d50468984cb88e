import type { Outline } from '../outline/outline.ts';

/** How the first model change of the outline is written; null without one. */
export function modelForm(outline: Outline): boolean | null {
  for (const row of outline.settingRows()) {
    const setting = outline.setting(row);
    if (setting?.kind === 'model') return setting.split;
  }
  return null;
}
