import { bash, edit, read } from './calls.ts';
import { Tale } from './tale.ts';

/** Two sessions of project directories: the first is stored compressed, the second as text. */
export function projectTales(time: number): [Tale, Tale] {
  const day = 86_400_000;
  const contrast = new Tale({
    shapes: 'musepi',
    project: 'work/site',
    title: 'Contrast of the code blocks',
    time,
    projects: 'zstd',
  })
    .user('Comments in code blocks are too pale in the light theme.')
    .step(
      'Measure first.',
      '',
      bash(
        'node scripts/contrast.mjs --theme light',
        'comment   #a8a39a on #fbfaf7   2.4 : 1   FAIL\nstring    #3f6b2f on #fbfaf7   6.1 : 1\n',
      ),
      read('src/styles/code.css', '.tok-comment { color: #a8a39a; }\n'),
    )
    .step(
      '',
      'The comment colour has 2.4 : 1, it needs 4.5 : 1:',
      edit('src/styles/code.css', 1, '.tok-comment { color: #a8a39a; }', '.tok-comment { color: #736d63; }'),
    )
    .answer('Comments have 5.0 : 1 now. The dark theme was fine (7.2 : 1).')
    .mark('done')
    .user('Also make them italic.', 2)
    .answer('Done; the fallback font has an italic, so no letter jumps.')
    .back('done')
    .user('Better: leave the style alone and check the other themes.', 6)
    .answer('All nine colours of the three themes pass now; the lowest is 4.7 : 1 (`keyword`, sepia).');
  const feed = new Tale({
    shapes: 'musepi',
    project: 'work/site',
    title: 'Feed without duplicates',
    time: time - 2 * day,
    projects: 'raw',
  })
    .user('The Atom feed shows every article twice after a correction.')
    .step('', '', read('src/feed.ts', 'const id = `${url}#${updated}`;\n'))
    .answer(
      'The id of an entry contains the time of its update, so that a correction is a new entry. Ids must not change: take the URL alone.',
    );
  return [contrast, feed];
}
