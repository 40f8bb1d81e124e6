import { basename } from 'node:path';
import { expect, test } from '@jest/globals';
import { wordsOfName } from '../../../scripts/language/code.js';
import { nodesOf, readSources } from '../source.ts';
import { read } from '../tree.ts';

const sources = readSources().filter(({ path }) => path.startsWith('src/'));
const paths = sources.map(({ path }) => path);

/** Lists the names with more than one place, with these places. */
function repeated(places: readonly (readonly [name: string, path: string])[]): string[] {
  const found = new Map<string, Set<string>>();
  for (const [name, path] of places) found.set(name, (found.get(name) ?? new Set()).add(path));
  return [...found]
    .filter(([, where]) => where.size > 1)
    .map(([name, where]) => `${name}: ${[...where].join(', ')}`);
}

test('the base name of a file is unique in src/', () => {
  expect(repeated(paths.map((path) => [basename(path), path]))).toEqual([]);
  expect(paths.length).toBeGreaterThan(500);
});

const exported = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm;

const names = paths.flatMap((path) =>
  [...read(path).matchAll(exported)].map(([, name = '']) => [name, path] as const),
);

// Overloads of one function are in the same file.
test('an exported name is unique in src/', () => {
  expect(repeated(names)).toEqual([]);
  expect(names.length).toBeGreaterThan(1500);
});

/**
 * Words that are not in the glossary. Systems respond and report, programs check, read and query,
 * an operator pauses, and a rollback has one name. The last line has metaphors.
 */
const unclear = new Set(
  `who whom whoever whose nobody somebody anybody person ours theirs mine
  tell tells told telling say says said ask asks asked see sees saw seen heard heed glance
  look looks looked looking word judgement mend mends closed closing silent silence
  rung rungs climb ladder seam greet greeting theatre playbill riddle`.split(/\s+/),
);

test('an exported name or file name in src/ has only words that a reader can search', () => {
  const places = [...names, ...paths.map((path) => [basename(path, '.ts'), path] as const)];
  const found = places.filter(([name]) =>
    wordsOfName(name)
      .split(' ')
      .some((word) => unclear.has(word)),
  );
  expect(found).toEqual([]);
});

/**
 * Functions with other verbs than `read`, `find`, `list`, `watch` and `check` for reads, and
 * `format` and `render` for texts.
 */
const otherVerbs = /^export (?:async )?function (?:gather|tell|look|see|ask)[A-Z]\w*/gm;

test('an exported function in src/ reads, finds, lists, watches or checks, and formats or renders', () => {
  const found = paths.flatMap((path) =>
    [...read(path).matchAll(otherVerbs)].map(([text]) => text.replace(/^.* /, '')),
  );
  expect(found).toEqual([]);
});

/** Former names of rollback, restore, poll or check, which must not return. */
const replaced = new Set(
  `takeBack takenBack takesBack TakeBack GoBack goesBack findWay findWayBack wayBack goBack stayWith wayOutOf
  returningTo noteReturned forgetReturned giveBack isGoingBack turnAround openLeftClosed leftClosed toSeeTo leaveOpen
  isKeptClosed isOursToOpen isFoundClosed foundClosed refuseOpened refuseTakenUp mayLandLate hasStoppedNothing
  refuseUnserved whyNotTaken isLeftToActivate isWayOutOpen endingServed withoutAnothers listFirst byTheirManagers
  refuseOtherShards sawProven glanceAtService lookAtService untilGrown lookUntilBelieved standingProof
  refuseLastShard lookUntil Glance notYet Prospect inTime outlastSilence unlessSilent Silence keepingRefusals
  whySilenced readToldWait heldSince watchUnlocked LetGo Seam sealPorts greet judgeGreeting heed notingEffects
  withSituation inOneReading askingInTurn toldWithinMs inTurnUntilFailed together Climb climb rung rungs although
  tellCutOff foretellDrain warnOfListeners findOpenRungs judgeGone firstsOf createOnceFree everShorter Playbill
  createEndings`.split(/\s+/),
);

test('a replaced name does not return, exported or not', () => {
  // Files with names that users depend on: guards in the event file, and keys of JSON.
  const kept = ['/guard-catalogue.ts', '/deployment-report.ts'];
  const inCode = sources.filter(({ path }) => !kept.some((end) => path.endsWith(end)));
  const found = inCode.flatMap(({ path, module }) =>
    nodesOf(module)
      .filter(({ type, value }) => type === 'Identifier' && replaced.has(String(value)))
      .map(({ value }) => `${path}: ${value}`),
  );
  expect(found).toEqual([]);
});

/** Pronouns, prepositions, adverbs, and participles without a regular ending. */
const refused = new Set(
  `all any both each every its my one other our own their these this those what which who whose
  about after at before beside by for from in into of on out outside over to until up with without
  again anew away back how long not once soon still then together too when where why
  asked begun built given gone held kept known left lost made meant said seen shut taken told`.split(
    /\s+/,
  ),
);
/** Nouns of the domain with the ending of a participle. */
const nouns = ['finding', 'onboarding', 'recording', 'routing'];

test('the name of a file in src/ begins with no pronoun, preposition, adverb or participle', () => {
  const clauses = paths.filter((path) => {
    const [first = ''] = basename(path, '.ts').split('-');
    return refused.has(first) || (/(?:ing|ed)$/.test(first) && !nouns.includes(first));
  });
  expect(clauses).toEqual([]);
});
