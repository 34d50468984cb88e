/** Texts and formatters in the current language: `t('common.retry')`, `fmt.bytes(1200)`. */
export { fmt } from './current.svelte.ts';
export { language, languageChoice, preferredLanguage, t, type LanguageChoice } from './language.svelte.ts';
export { DICTIONARIES, LANGUAGES, translate } from './messages.ts';
export type { Message } from './types.ts';
