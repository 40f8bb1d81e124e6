import { type KeyName, keyTable, type NamedKey } from '../../domain/keys/key-table.ts';
import { parseJson } from '../../domain/text/json.ts';
import { show } from '../../domain/text/show.ts';
import { didYouMean } from '../../domain/text/suggestion.ts';
import type { Place, Problem } from '../problem.ts';
import { type Entry, type Layer, ranks } from './layer.ts';
import { ownVariables } from './variable-names.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

interface Overrides {
  readonly layer: Layer;
  readonly problems: readonly Problem[];
}

/** Reads `HOSTED_RUNNER_…` for every stack of the file. An empty variable counts as absent. */
export function readEnvironment(environment: Environment): Overrides {
  const layer = new Map<KeyName, Entry>();
  const problems: Problem[] = [];
  const variables = [
    ...keyTable.map(({ variable }) => variable),
    ...ownVariables.map(({ name }) => name),
  ];
  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith('HOSTED_RUNNER_') || text === undefined || text === '') continue;
    const known = keyTable.find(({ variable }) => variable === name);
    const place: Place = { kind: 'environment', name };
    if (known !== undefined) {
      layer.set(known.name, { value: convert(known, text), place, rank: ranks.environment });
    } else if (!variables.includes(name)) {
      problems.push({ place, text: `unknown variable${didYouMean(name, variables)}` });
    }
  }
  return { layer, problems };
}

/** Reads `--set drain.timeout=2h`; the last one of a key counts. */
export function readAssignments(assignments: readonly string[]): Overrides {
  const layer = new Map<KeyName, Entry>();
  const problems: Problem[] = [];
  const names = keyTable.map((one) => one.name);
  for (const assignment of assignments) {
    const equals = assignment.indexOf('=');
    const name = equals < 0 ? assignment : assignment.slice(0, equals);
    const text = assignment.slice(equals + 1);
    const known = keyTable.find((one) => one.name === name);
    const place: Place = { kind: 'flag', key: known?.name ?? show(name) };
    if (known === undefined)
      problems.push({ place, text: `unknown key${didYouMean(name, names)}` });
    else if (equals < 0 || text === '') {
      problems.push({ place, text: `no value; write --set ${name}=VALUE` });
    } else layer.set(known.name, { value: convert(known, text), place, rank: ranks.flag });
  }
  return { layer, problems };
}

/**
 * Converts a text to the type of its key. An unconvertible text stays as it is: the key's check
 * reports it.
 */
function convert(one: NamedKey, text: string): unknown {
  switch (one.accepts.type) {
    case 'number':
      return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'words':
      return text.startsWith('[') ? readJson(text) : text.split(',').map((word) => word.trim());
    case 'argv':
      // Words are not split at spaces: this would need a shell's rules.
      return readJson(text);
    case 'text':
      return text;
  }
}

function readJson(text: string): unknown {
  return parseJson(text) ?? text;
}
