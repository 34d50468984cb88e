import { common } from './en/common.ts';
import { inspector } from './en/inspector.ts';
import { library } from './en/library.ts';
import { session } from './en/session.ts';
import { transcript } from './en/transcript.ts';
import type { Message, Placeholders, Plural, Translation } from './types.ts';

export const LANGUAGES = ['en', 'zh-CN'] as const;
export type Language = (typeof LANGUAGES)[number];

const en = { common, library, session, transcript, inspector };
type English = typeof en;
type Areas = { readonly [Area in keyof English]: Translation<English[Area]> };

/** English is always there; another language is fetched when it is wanted. */
const LOADERS: Record<Exclude<Language, 'en'>, () => Promise<Areas>> = {
  'zh-CN': async () => (await import('./zh-CN/index.ts')).zhCN,
};

const loaded: { en: Areas } & Partial<Record<Language, Areas>> = { en };

export function isLoaded(language: Language): boolean {
  return loaded[language] !== undefined;
}

/** Fetches the texts of a language. Rejects when the server cannot be reached. */
export async function loadDictionary(language: Language): Promise<Areas> {
  const known = loaded[language];
  if (known !== undefined || language === 'en') return known ?? loaded.en;
  const areas = await LOADERS[language]();
  loaded[language] = areas;
  return areas;
}

type KeysOf<Area extends keyof English> = `${Area}.${keyof English[Area] & string}`;
/** `area.name`, for instance `common.retry`. */
export type Key = { [Area in keyof English]: KeysOf<Area> }[keyof English];

type TextOf<K extends Key> = K extends `${infer Area extends keyof English}.${infer Name}`
  ? Name extends keyof English[Area]
    ? English[Area][Name]
    : never
  : never;

type Named<K extends Key> = Placeholders<TextOf<K>>;
/** The parameters that a message needs: none, or one object with all its placeholders. */
export type Params<K extends Key> = [Named<K>] extends [never] ? [] : [params: Readonly<Record<Named<K>, string | number>>];

const PLACEHOLDER = /\{(\w+)\}/g;

/** The message of `key` in `language`, before its placeholders are filled. */
function lookup(language: Language, key: Key): Message {
  const dot = key.indexOf('.');
  const area = (loaded[language] ?? loaded.en)[key.slice(0, dot) as keyof English] as Readonly<Record<string, Message>>;
  return area[key.slice(dot + 1)] ?? key;
}

/**
 * The text of `key` in the `wanted` language, in English until that one has come. Numbers are written in the language's way; a message with plural forms chooses
 * by the parameter `n`, which may be a number or a text that is already formatted (then `other`).
 */
export function translate<K extends Key>(wanted: Language, key: K, ...args: Params<K>): string {
  const language = isLoaded(wanted) ? wanted : 'en';
  const params: Readonly<Record<string, string | number>> = args[0] ?? {};
  const message = lookup(language, key);
  const text = typeof message === 'string' ? message : chooseForm(language, message, params['n']);
  return text.replace(PLACEHOLDER, (whole, name: string) => {
    const value = params[name];
    return typeof value === 'number' ? numberFormat(language).format(value) : (value ?? whole);
  });
}

function chooseForm(language: Language, forms: Plural, n: string | number | undefined): string {
  return (typeof n === 'number' ? forms[pluralRules(language).select(n)] : undefined) ?? forms.other;
}

const numberFormat = perLanguage((language) => new Intl.NumberFormat(language));
const pluralRules = perLanguage((language) => new Intl.PluralRules(language));

/** Intl objects are slow to build: one a language. */
function perLanguage<T>(make: (language: Language) => T): (language: Language) => T {
  const made = new Map<Language, T>();
  return (language) => {
    const known = made.get(language) ?? make(language);
    made.set(language, known);
    return known;
  };
}
