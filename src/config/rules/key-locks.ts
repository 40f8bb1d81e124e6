import { isScalar, isSeq, type Node } from 'yaml';
import { type KeyName, keyTable } from '../../domain/keys/key-table.ts';
import { show } from '../../domain/text/show.ts';
import { didYouMean } from '../../domain/text/suggestion.ts';
import type { SourceDocument } from '../layers/document.ts';
import type { Problem } from '../problem.ts';

const expectation = 'locked: expected a list of keys such as [drain.force_after]';

/** Reads the keys that no variable or flag may change: `drain.force_after`, or all of `drain`. */
export function readLocked({
  source,
  value,
  problems,
}: {
  source: SourceDocument;
  value: unknown;
  problems: Problem[];
}): ReadonlySet<KeyName> {
  const node = source.resolve(value) as Node | null | undefined;
  if (node === null || node === undefined || (isScalar(node) && node.value === null)) {
    return new Set();
  }
  if (!isSeq(node)) {
    problems.push({ place: source.placeOf(value), text: expectation });
    return new Set();
  }
  const names = keyTable.map(({ name }) => name);
  return new Set(
    node.items.flatMap((item) => {
      const word = source.resolve(item);
      const text = isScalar(word) && typeof word.value === 'string' ? word.value : undefined;
      const found = names.filter((name) => name === text || name.startsWith(`${text}.`));
      if (found.length > 0) return found;
      const place = source.placeOf(item);
      problems.push({
        place,
        text:
          text === undefined
            ? expectation
            : `locked: unknown key ${show(text)}${didYouMean(text, lockableNames())}`,
      });
      return [];
    }),
  );
}

/** Lists keys and their sections. */
export function lockableNames(): string[] {
  const sections = keyTable.flatMap(({ path }) =>
    path.slice(1).map((_, index) => path.slice(0, index + 1).join('.')),
  );
  return [...new Set([...sections, ...keyTable.map(({ name }) => name)])].sort();
}
