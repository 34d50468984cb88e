/** Forms of a message by plural category of its `n`; `other` always stands. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** A text with `{name}` placeholders, or plural forms of one. */
export type Message = string | Plural;

/** What a translation of an area must have: each key of the English one, and none besides. */
export type Translation<Area> = { readonly [Key in keyof Area]: Message };

type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

/** The placeholders of an English message, over all its plural forms. */
export type Placeholders<Text> = Text extends string ? Names<Text> : Names<Text[keyof Text]>;
