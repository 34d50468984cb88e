import type { NoticeItem, SettingsItem } from '../transcript/items.ts';
import { itemBase, type ItemPlace } from './define-entry.ts';

export function settingItem(
  place: ItemPlace,
  setting: SettingsItem['setting'],
  value: string | null,
  role: string | null = null,
): SettingsItem {
  return { ...itemBase(place, 0), kind: 'settings', setting, value, role };
}

export function noticeItem(
  place: ItemPlace,
  notice: NoticeItem['notice'],
  value: string | null,
  targetId: string | null = null,
): NoticeItem {
  return { ...itemBase(place, 0), kind: 'notice', notice, value, targetId };
}
