import type { ListedSession } from './read-info.ts';
import type { RecentSession } from './session-info.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** @param now epoch ms */
export function recentSession({ info, mtimeMs }: ListedSession, now: number): RecentSession {
  const { path, id, cwd, modified, size } = info;
  const name = firstLine(info.name) ?? firstLine(info.firstMessage) ?? `Untitled · ${clock(info.created ?? mtimeMs)}`;
  return { path, id, cwd, name, timeAgo: timeAgo(modified, now), modified, size };
}

/** The first line that shows anything, without control characters; null when there is none. */
function firstLine(text: string | undefined): string | null {
  for (const line of (text ?? '').split(/[\r\n]+/)) {
    const shown = line.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
    if (shown !== '') return shown;
  }
  return null;
}

/** HH:MM here. */
function clock(ms: number): string {
  const time = new Date(ms);
  return [time.getHours(), time.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Times to come count as now. */
function timeAgo(ms: number, now: number): string {
  const age = now - ms;
  if (age < MINUTE_MS) return 'just now';
  if (age < HOUR_MS) return `${String(Math.floor(age / MINUTE_MS))}m ago`;
  if (age < DAY_MS) return `${String(Math.floor(age / HOUR_MS))}h ago`;
  if (age < 7 * DAY_MS) return `${String(Math.floor(age / DAY_MS))}d ago`;
  const day = new Date(ms);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}
