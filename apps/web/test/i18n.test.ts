import { PROBLEM_CODES } from '@stemma/core/pure';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { ApiError } from '../src/lib/api/errors.ts';
import { errorText } from '../src/lib/i18n/errors.ts';
import {
  languageChoice,
  LANGUAGES,
  loadDictionary,
  preferredLanguage,
  t,
  translate,
  type Message,
} from '../src/lib/i18n/index.ts';

type Flat = Map<string, Message>;

function flatten(areas: Readonly<Record<string, Readonly<Record<string, Message>>>>): Flat {
  const flat: Flat = new Map();
  for (const [area, messages] of Object.entries(areas)) {
    for (const [name, message] of Object.entries(messages)) flat.set(`${area}.${name}`, message);
  }
  return flat;
}

function forms(message: Message): string[] {
  return typeof message === 'string' ? [message] : Object.values(message);
}

function placeholders(message: Message): string[] {
  return [...new Set(forms(message).flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort();
}

/** Texts that are names, the same in every language. */
const NAMES = ['common.app.name'];

const beforeItCame = translate('zh-CN', 'common.entries', { n: 1 });
const english = flatten(await loadDictionary('en'));
const chinese = flatten(await loadDictionary('zh-CN'));

describe('the dictionaries', () => {
  it('have the same keys', () => {
    expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
    expect(english.size).toBeGreaterThan(100);
  });

  it('have the same placeholders', () => {
    const differing = [...english].filter(([key, message]) => {
      return placeholders(message).join() !== placeholders(chinese.get(key) ?? '').join();
    });
    expect(differing.map(([key]) => key)).toEqual([]);
  });

  it('say something everywhere, without stray blanks or markup', () => {
    for (const [key, message] of [...english, ...chinese]) {
      for (const text of forms(message)) expect(text, key).toMatch(/^\S(?:[^<>]*\S)?$/);
    }
  });

  it('have the plural forms that their language needs', () => {
    const needs: Record<(typeof LANGUAGES)[number], string[]> = { en: ['one', 'other'], 'zh-CN': ['other'] };
    for (const language of LANGUAGES) {
      for (const [key, message] of language === 'en' ? english : chinese) {
        if (typeof message !== 'string') expect(Object.keys(message), `${language} ${key}`).toEqual(needs[language]);
      }
    }
  });

  it('have plain words for every problem', () => {
    for (const code of PROBLEM_CODES) {
      expect(english.has(`common.problem.${code}`), code).toBe(true);
      expect(t(`common.problem.${code}`)).not.toContain('_');
    }
  });

  it('hold Chinese where the English one has words', () => {
    const untranslated = [...chinese].filter(([key, message]) => {
      const words = forms(message)
        .join(' ')
        .replace(/\{\w+\}/g, '');
      return /\p{L}{2}/u.test(words) && JSON.stringify(english.get(key)) === JSON.stringify(message);
    });
    expect(untranslated.map(([key]) => key).filter((key) => !NAMES.includes(key))).toEqual([]);
  });
});

describe('translating', () => {
  it('is English until the other texts have come', () => {
    expect(beforeItCame).toBe('1 entry');
  });

  it('fills in, writes numbers, and chooses the form', () => {
    expect(translate('en', 'common.entries', { n: 1 })).toBe('1 entry');
    expect(translate('en', 'common.entries', { n: 1284 })).toBe('1,284 entries');
    expect(translate('zh-CN', 'common.entries', { n: 1 })).toBe('1 个条目');
    expect(translate('en', 'common.nothing.text', { path: '/{path}/$&' })).toBe('There is no page at /{path}/$&.');
  });

  it('does not follow placeholders that stand in a value', () => {
    expect(translate('en', 'library.progress.counting', { done: '{total}', total: 3 })).toBe('counting {total} of 3 sessions');
  });
});

describe('the language', () => {
  afterEach(() => {
    languageChoice.value = 'auto';
    vi.unstubAllGlobals();
  });

  it('is the first one of the browser that there is', () => {
    expect(preferredLanguage(['zh-TW', 'en'])).toBe('zh-CN');
    expect(preferredLanguage(['de', 'fr-FR', 'zh'])).toBe('zh-CN');
    expect(preferredLanguage(['en-GB', 'zh'])).toBe('en');
    expect(preferredLanguage(['de'])).toBe('en');
    expect(preferredLanguage([])).toBe('en');
  });

  it('changes with the choice', () => {
    languageChoice.value = 'zh-CN';
    expect(t('common.retry')).toBe('重试');
    languageChoice.value = 'en';
    expect(t('common.retry')).toBe('Try again');
  });
});

describe('errors in words', () => {
  it('know our codes and pass others on', () => {
    expect(errorText(new ApiError('unreachable', 'x', 0))).toBe(t('common.error.unreachable'));
    expect(errorText(new ApiError('bad_answer', 'x', 502))).toContain('502');
    expect(errorText(new ApiError('storage_io', 'The disk is gone.', 500))).toContain('The disk is gone.');
    expect(errorText(new Error('boom'))).toContain('boom');
  });
});
