import { PARTS, STATES, type FilterName, type FilterTerm, type Part, type State } from './query.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** A day, a month, a year, or an instant of ISO 8601. */
const DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;

type Offset = (day: { year: number; month: number; day: number }) => number;

/** A filter of a name and value; null for a value that it does not have. */
export function parseFilter(name: FilterName, value: string, offset: Offset = () => 0): FilterTerm | null {
  switch (name) {
    case 'in':
      return isOneOf<Part>(PARTS, value) ? { kind: 'filter', name, value } : null;
    case 'is':
      return isOneOf<State>(STATES, value) ? { kind: 'filter', name, value } : null;
    case 'before':
    case 'after': {
      const time = timeOf(value, offset);
      return time === null ? null : { kind: 'filter', name, value, time };
    }
    default:
      return { kind: 'filter', name, value };
  }
}

function isOneOf<T extends string>(all: readonly T[], value: string): value is T {
  return (all as readonly string[]).includes(value);
}

/** Epoch ms of the beginning of a day, month or year, or of an instant. */
function timeOf(value: string, offset: Offset): number | null {
  const parts = DATE.exec(value);
  if (parts !== null) {
    const [year, month, day] = [Number(parts[1]), Number(parts[2] ?? 1), Number(parts[3] ?? 1)];
    const utc = Date.UTC(year, month - 1, day);
    const date = new Date(utc);
    // 31 February is no day.
    if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || year < 1970) return null;
    return Math.max(0, utc - Math.max(-DAY_MS, Math.min(DAY_MS, offset({ year, month, day }) * MINUTE_MS)));
  }
  if (!INSTANT.test(value)) return null;
  const time = Date.parse(/(Z|[+-]\d{2}:\d{2})$/.test(value) ? value : `${value}Z`);
  return Number.isNaN(time) ? null : time;
}
