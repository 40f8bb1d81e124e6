import { read } from '../structure/tree.ts';

/** A fenced block of a document, as it is printed. */
export interface ShownBlock {
  /** The heading that it stands below, and which one it is there: `Try it 1`. */
  readonly name: string;
  /** `sh`, `yaml`, `json`, `mermaid`, or empty for what a command prints. */
  readonly language: string;
  readonly text: string;
}

export function blocksOf(document: string): ShownBlock[] {
  const blocks: ShownBlock[] = [];
  let heading = '';
  let count = 0;
  for (const [, title, fence, language = '', text = ''] of read(document).matchAll(
    /^#{1,4} (.+)$|^(```)(\w*)\n([\s\S]*?)^```$/gm,
  )) {
    if (fence === undefined) {
      heading = title ?? '';
      count = 0;
    } else {
      count += 1;
      blocks.push({ name: `${heading} ${count}`, language, text });
    }
  }
  return blocks;
}

/** @throws where a document has no such block: whoever renames a heading sees who plays it */
export function blockOf(document: string, name: string): string {
  const found = blocksOf(document).find((block) => block.name === name);
  if (found === undefined) throw new Error(`${document} has no block "${name}"`);
  return found.text;
}

/**
 * Commands of a block that a test does not type: neither stand they in it as they are shown, with anything for a
 * `…`, nor are they lines of AWS of a document from which it takes all of those.
 */
export function untypedIn(source: string, document: string, text: string): string[] {
  const takesAws = source.includes(`'${document}'`) && source.includes('awsLinesIn(');
  const typed = source.replaceAll(/\s+/g, ' ');
  return text
    .replaceAll(/ *\\\n */g, ' ')
    .split('\n')
    .map((line) => line.replace(/(?:^|\s+)#\s.*$/, '').trim())
    .filter((line) => {
      if (line === '' || (takesAws && line.startsWith('aws '))) return false;
      const words = line.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
      // Whole: what a longer line begins with is another command.
      return !new RegExp(`['"\`]${words.join('.+')}(?:['"\`]|\\\\n)`).test(typed);
    });
}
