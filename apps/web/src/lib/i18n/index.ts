/** Texts and formatters in the current language: `t('common.retry')`, `fmt.bytes(1200)`. */
export { fmt } from './current.svelte.ts';
export {
  followLanguage,
  language,
  languageChoice,
  loadLanguage,
  preferredLanguage,
  t,
  type LanguageChoice,
} from './language.svelte.ts';
export { LANGUAGES, loadDictionary, translate } from './messages.ts';
export type { Message } from './types.ts';
