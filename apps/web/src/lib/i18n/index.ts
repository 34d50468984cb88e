/** Texts and formatters in the current language: `t('common.retry')`, `fmt.bytes(1200)`. */
export * as fmt from './current.svelte.ts';
export { language, languageChoice, preferredLanguage, t, type LanguageChoice } from './language.svelte.ts';
export { DICTIONARIES, LANGUAGES, translate, type Key, type Language, type Params } from './messages.ts';
export type { Message, Plural, Translation } from './types.ts';
