/**
 * Marks as paths in a 16 × 16 box, drawn with the text's colour: many fonts lack such characters.
 * `line` is stroked with 1.5 px, `fill` is filled.
 */
export interface Mark {
  readonly line?: string;
  readonly fill?: string;
}

export const ICONS = {
  // What a session is made of.
  branch: { line: 'M4.5 2.5v11M4.5 11c0-4 7-2.5 7-6.5v-2' },
  compaction: { line: 'M2.8 2.8h10.4v10.4H2.8zM5.5 8h5' },
  label: { fill: 'M8 2.2 13.8 8 8 13.8 2.2 8z' },
  error: { line: 'M4 4l8 8M12 4l-8 8' },
  leaf: { fill: 'M8 3.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z' },
  node: { line: 'M8 3.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z' },
  summary: { line: 'M12 3.5H4.5L8.5 8l-4 4.5H12' },
  root: { line: 'M8 2.5v7M4 13.5c0-2.5 1.5-4 4-4s4 1.5 4 4' },
  // Status.
  warning: { line: 'M8 2.5 14 13H2zM8 6.5v3M8 11.2v.1' },
  interrupted: { line: 'M8 3.5a4.5 4.5 0 1 0 4.5 4.5M8 3.5V8' },
  pending: { line: 'M8 3.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM8 5.8V8l1.6 1' },
  paused: { line: 'M5.8 4v8M10.2 4v8' },
  stopped: { fill: 'M4.5 4.5h7v7h-7z' },
  question: { line: 'M5.5 6a2.5 2.5 0 1 1 3.7 2.2C8.4 8.7 8 9.1 8 10M8 12.6v.1' },
  check: { line: 'M3.5 8.5l3 3 6-7' },
  // Controls.
  search: { line: 'M7 3a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM10 10l3.5 3.5' },
  close: { line: 'M4 4l8 8M12 4l-8 8' },
  back: { line: 'M13 8H3M7 4L3 8l4 4' },
  'chevron-down': { line: 'M4 6l4 4 4-4' },
  'chevron-right': { line: 'M6 4l4 4-4 4' },
  'chevron-left': { line: 'M10 4L6 8l4 4' },
  up: { line: 'M8 13V3M4 7l4-4 4 4' },
  down: { line: 'M8 3v10M4 9l4 4 4-4' },
  copy: { line: 'M5.5 5.5h7.5v7.5h-7.5zM3 10.5V3h7.5' },
  menu: { line: 'M2.5 4h11M2.5 8h11M2.5 12h11' },
  settings: { line: 'M2.5 5h5M11.5 5h2M9.5 3v4M2.5 11h2M8.5 11h5M6.5 9v4' },
  plus: { line: 'M8 3.5v9M3.5 8h9' },
  minus: { line: 'M3.5 8h9' },
  fit: { line: 'M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3' },
  folder: { line: 'M2.5 12.5v-9h4l1.5 2h5.5v7z' },
  panel: { line: 'M2.5 3.5h11v9h-11zM6.5 3.5v9' },
} as const satisfies Record<string, Mark>;

export type IconName = keyof typeof ICONS;
