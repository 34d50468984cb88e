import { Persisted } from '../state/persisted.svelte.ts';
import { isLoaded, loadDictionary, translate, type Key, type Language, type Params } from './messages.ts';

export type LanguageChoice = Language | 'auto';

function isChoice(value: unknown): value is LanguageChoice {
  return value === 'auto' || value === 'en' || value === 'zh-CN';
}

/** Chinese of any kind gets the Chinese dictionary, everything else the English one. */
export function preferredLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    if (/^zh\b/i.test(tag)) return 'zh-CN';
    if (/^en\b/i.test(tag)) return 'en';
  }
  return 'en';
}

/** The person's choice; `auto` follows the browser. */
export const languageChoice = new Persisted<LanguageChoice>('stemma.language', 'auto', isChoice);

function wantedLanguage(): Language {
  return languageChoice.value === 'auto' ? preferredLanguage(navigator.languages) : languageChoice.value;
}

/** Languages whose texts have come; a new list for each, so that whoever asked hears of it. */
let arrived = $state.raw<readonly Language[]>([]);

/** Fetches the texts of the wanted language; resolves at once when they are there. English stays where they do not come. */
export async function loadLanguage(): Promise<void> {
  const wanted = wantedLanguage();
  try {
    await loadDictionary(wanted);
  } catch (error) {
    // A module that cannot be fetched: the server is gone, and the page says so itself.
    if (error instanceof TypeError) return;
    throw error;
  }
  if (!arrived.includes(wanted)) arrived = [...arrived, wanted];
}

/** Fetches texts whenever another language is chosen, here or in another window. */
export function followLanguage(): void {
  $effect.root(() => {
    $effect(() => void loadLanguage());
  });
}

/** The language of the texts now: the wanted one, English until its texts have come; reactive. */
export function language(): Language {
  const wanted = wantedLanguage();
  if (arrived.includes(wanted) || isLoaded(wanted)) return wanted;
  return 'en';
}

/** The tag for numbers and dates: the browser's own variant of the language (en-GB) where it has one. */
export function formatTag(): string {
  const current = language();
  const prefix = current.slice(0, 2).toLowerCase();
  return navigator.languages.find((tag) => tag.toLowerCase().startsWith(prefix)) ?? current;
}

/** The text of `key` in the current language; reactive in templates and `$derived`. */
export function t<K extends Key>(key: K, ...args: Params<K>): string {
  return translate(language(), key, ...args);
}
