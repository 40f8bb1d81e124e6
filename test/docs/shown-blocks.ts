import { read } from '../structure/tree.ts';

/**
 * Lists the fenced blocks of a document by name: the heading above, and the number below that
 * heading (`Try it 1`).
 */
function blocksOf(document: string): { readonly name: string; readonly text: string }[] {
  const blocks: { name: string; text: string }[] = [];
  let heading = '';
  let count = 0;
  for (const [, title, fence, text = ''] of read(document).matchAll(
    /^#{1,4} (.+)$|^(```)\w*\n([\s\S]*?)^```$/gm,
  )) {
    if (fence === undefined) {
      heading = title ?? '';
      count = 0;
    } else {
      count += 1;
      blocks.push({ name: `${heading} ${count}`, text });
    }
  }
  return blocks;
}

/** @throws if a document has no such block, to show the tests that depend on a renamed heading */
export function blockOf(document: string, name: string): string {
  const found = blocksOf(document).find((block) => block.name === name);
  if (found === undefined) throw new Error(`${document} has no block "${name}"`);
  return found.text;
}
