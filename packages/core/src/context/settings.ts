import { asRecord, asString } from '../entries/read.ts';
import type { ContextSettings } from './types.ts';

export function emptySettings(): ContextSettings {
  return { thinkingLevel: 'off', serviceTier: null, models: {}, model: null, injectedTtsrRules: [], mode: 'none' };
}

/** "provider/id" → both; null for an empty text. Model ids may hold slashes, providers do not. */
export function splitModel(model: string): { provider: string; modelId: string } | null {
  if (model === '') return null;
  const slash = model.indexOf('/');
  return { provider: model.slice(0, Math.max(slash, 0)), modelId: model.slice(slash + 1) };
}

const FAMILIES = ['openai', 'anthropic', 'google'];
const TIERS = new Set(['auto', 'default', 'flex', 'scale', 'priority']);

/** A stored service tier as a map of provider families, or null: old files hold one word. */
export function normaliseTier(stored: unknown): Record<string, string> | null {
  if (typeof stored === 'string') return tierOfWord(stored);
  const tier: Record<string, string> = {};
  const source = asRecord(stored);
  for (const family of FAMILIES) {
    const value = asString(source[family]);
    if (value !== null && TIERS.has(value)) tier[family] = value;
  }
  return Object.keys(tier).length === 0 ? null : tier;
}

function tierOfWord(word: string): Record<string, string> | null {
  if (word === 'priority') return { openai: word, anthropic: word, google: word };
  if (word === 'openai-only') return { openai: 'priority' };
  if (word === 'claude-only') return { anthropic: 'priority' };
  return TIERS.has(word) ? { openai: word } : null;
}
