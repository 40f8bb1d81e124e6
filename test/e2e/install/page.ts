import { read } from '../../structure/tree.ts';
import { linesOf } from '../documents/terminal.ts';

/** Page `docs/use/install.md`, as a reader types it. */
export interface Page {
  readonly steps: readonly Step[];
  /** Values that the reader decides, with their examples in the commands. */
  readonly decisions: readonly { readonly what: string; readonly examples: readonly string[] }[];
  readonly words: number;
}

export interface Step {
  readonly number: number;
  readonly title: string;
  readonly minutes: number;
  /** Command lines of each block. */
  readonly blocks: readonly (readonly string[])[];
}

export function readPage(): Page {
  const text = read('docs/use/install.md');
  const [introduction = '', ...sections] = text.split(/^## /m);
  const rows = [...introduction.matchAll(/^\| (?!value|---)(.+) \| (.+) \|$/gm)];
  return {
    steps: sections.map(readStep),
    decisions: rows.map(([, what = '', cell = '']) => ({
      what,
      examples: [...cell.matchAll(/`([^`]+)`/g)].map(([, example = '']) => example),
    })),
    words: text.split(/\s+/).length,
  };
}

function readStep(section: string): Step {
  const [, number, title = '', minutes] = /^(\d+)\. (.+) \((\d+) minutes\)\n/.exec(section) ?? [];
  return {
    number: Number(number),
    title,
    minutes: Number(minutes),
    blocks: [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) =>
      linesOf(block),
    ),
  };
}
