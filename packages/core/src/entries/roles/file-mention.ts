import type { ContentPart, TranscriptItem } from '../../transcript/items.ts';
import { contentFacts, IMAGE_CHARS } from '../content.ts';
import { itemBase, type ItemPlace } from '../define-entry.ts';
import type { RawRecord } from '../entry.ts';
import { setFlag, type EntryFacts } from '../facts.ts';
import { contentImage } from '../images.ts';
import { clip, contentParts, ImageCounter } from '../parts.ts';
import { asArray, asRecord, asString, isRecord } from '../read.ts';
import { defineRole } from './define-role.ts';

/** Files that the user named in a prompt (`@path`), read for the model. */
export const fileMention = defineRole({
  role: 'fileMention',
  describe(message: RawRecord, facts: EntryFacts): void {
    const content = contentFacts(message['content']);
    const paths: string[] = [];
    let images = content.images;
    facts.chars = content.chars;
    for (const file of filesOf(message)) {
      paths.push(file.path);
      facts.chars += file.path.length + file.content.length;
      if (file.image === null) continue;
      facts.chars += IMAGE_CHARS;
      images++;
    }
    facts.imageChars = images * IMAGE_CHARS;
    facts.title = content.firstText === '' ? paths.join(', ') : content.firstText;
    setFlag(facts, 'hasImages', images > 0);
    setFlag(facts, 'hasText', facts.title !== '');
  },
  items(message: RawRecord, place: ItemPlace): TranscriptItem[] {
    const images = new ImageCounter();
    const parts = contentParts(message['content'], images);
    for (const { path, content, image } of filesOf(message)) {
      parts.push({ type: 'text', ...clip(content === '' ? path : `${path}\n\n${content}`) });
      if (image !== null) parts.push({ type: 'image', image: images.ref(contentImage(image)) } satisfies ContentPart);
    }
    return [{ ...itemBase(place, 0), kind: 'user', role: 'fileMention', parts }];
  },
});

interface MentionedFile {
  path: string;
  content: string;
  image: RawRecord | null;
}

function filesOf(message: RawRecord): MentionedFile[] {
  return asArray(message['files']).map((raw) => {
    const file = asRecord(raw);
    const { image } = file;
    return {
      path: asString(file['path']) ?? '',
      content: asString(file['content']) ?? '',
      image: isRecord(image) ? image : null,
    };
  });
}
