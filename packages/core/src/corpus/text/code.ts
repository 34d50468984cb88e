import { Random } from '../base/random.ts';
import { identifier, wordRun } from './prose.ts';
import { vocabulary, zipfWord } from './vocabulary.ts';

/** Lines of TypeScript-looking code until `size` characters are there; ends with LF. */
export function code(random: Random, size: number): string {
  let out = '';
  let depth = 0;
  while (out.length < size) {
    const kind = random.below(16);
    if (kind === 0 && depth < 4) {
      out += `${indent(depth)}export function ${identifier(random)}(${zipfWord(random)}: string, limit = ${random.below(500)}): void {\n`;
      depth++;
    } else if (kind === 1 && depth > 0 && depth < 4) {
      out += `${indent(depth)}if (${identifier(random)} === ${random.below(100)} && !${zipfWord(random)}.${zipfWord(random)}) {\n`;
      depth++;
    } else if (kind < 5 && depth > 0) {
      depth--;
      out += `${indent(depth)}}\n`;
    } else out += indent(depth) + statement(random) + '\n';
  }
  while (depth > 0) out += indent(--depth) + '}\n';
  return out;
}

let known: string[] | undefined;

/**
 * One line of code without LF. Two of three are from a stock of 16,384 lines: real sessions read the same files again and
 * again too, and a line that is flat in memory costs a fifth of a new one.
 */
export function statement(random: Random): string {
  known ??= Array.from({ length: 16384 }, stockLine(new Random(0xc0de, 22)));
  const n = random.uint();
  return n % 3 === 0 ? newStatement(random, (n >>> 8) & 15) : (known[n >>> 18] as string);
}

function stockLine(random: Random): () => string {
  return () => newStatement(random, random.below(16)).split('').join('');
}

function newStatement(random: Random, kind: number): string {
  if (kind < 7)
    return `const ${identifier(random)} = await ${zipfWord(random)}.${identifier(random)}(${zipfWord(random)}, ${random.below(9000)});`;
  if (kind < 9) return `// ${wordRun(random, random.range(4, 11))}`;
  if (kind < 11)
    return `return ${zipfWord(random)}.map((${zipfWord(random)}) => ${identifier(random)}.${zipfWord(random)}).slice(0, ${random.below(64)});`;
  if (kind < 12) return `import { ${identifier(random)}, ${identifier(random)} } from './${zipfWord(random)}.ts';`;
  if (kind < 13) return `throw new Error(\`${wordRun(random, 4)}: \${${zipfWord(random)}}\`);`;
  if (kind < 14) return '';
  return `${identifier(random)}.set('${zipfWord(random)}-${zipfWord(random)}', { ${zipfWord(random)}: ${random.below(2) === 1}, ${zipfWord(random)}: '${zipfWord(random)}' });`;
}

/** A fenced block of a few lines. */
export function fence(random: Random, size: number): string {
  const language = random.pick(['ts', 'ts', 'ts', 'python', 'go', 'sh', 'sql', 'json']);
  if (language === 'sh') return '```sh\nnpm run ' + zipfWord(random) + ' -- --' + zipfWord(random) + '\n```';
  if (language === 'sql') {
    return `\`\`\`sql\nSELECT ${zipfWord(random)}, count(*)\nFROM ${identifier(random)}\nWHERE ${zipfWord(random)} > ${random.below(1000)}\nGROUP BY 1;\n\`\`\``;
  }
  if (language === 'json')
    return `\`\`\`json\n{ "${zipfWord(random)}": ${random.below(100)}, "${zipfWord(random)}": "${zipfWord(random)}" }\n\`\`\``;
  if (language === 'python') {
    return `\`\`\`python\ndef ${snake(random)}(${zipfWord(random)}, limit=${random.below(100)}):\n    for row in ${snake(random)}:\n        yield row.${zipfWord(random)}\n\`\`\``;
  }
  if (language === 'go') {
    return `\`\`\`go\nfunc (s *Store) ${identifier(random)}(ctx context.Context) error {\n\treturn s.${identifier(random)}(ctx, ${random.below(99)})\n}\n\`\`\``;
  }
  return '```ts\n' + code(random, size) + '```';
}

function snake(random: Random): string {
  const words = vocabulary();
  return `${words[random.below(700)] as string}_${words[random.below(700)] as string}`;
}

function indent(depth: number): string {
  return '                '.slice(0, depth * 2);
}
