import { type Mutant, mutantsOf } from '../mutant.ts';

/** What a file or a variable may not say. */
export const configuration: readonly Mutant[] = [
  ...mutantsOf('src/config/rules/rules.ts', [
    {
      id: 'a stack may have one shard twice',
      find: 'first !== undefined && first === second',
      replace: 'first === undefined && first === second',
      tests: ['test/config/contradictions.test.ts'],
    },
    {
      id: 'jobs may be killed on hosts that nobody may ask',
      find: "keys.get('host.access') !== 'none') return [];",
      replace: "keys.get('host.access') === 'none') return [];",
      tests: ['test/config/contradictions.test.ts'],
    },
    {
      id: 'every kind of evidence may be off',
      find: '  if (isAllOff(keys)) {',
      replace: "  if (isAllOff(keys) && keys.get('shards') === undefined) {",
      tests: ['test/config/contradictions.test.ts'],
    },
  ]),
  ...mutantsOf('src/config/rules/infrastructure-rules.ts', [
    {
      id: 'both shards may have one state',
      find: '.filter((word) => !places.includes(word))',
      replace: ".filter((word) => places === '' && !places.includes(word))",
      tests: ['test/config/contradictions.test.ts'],
    },
    {
      id: 'a command may touch both shards',
      find: "text === undefined || text.includes('{shard}')",
      replace: "text === undefined || text !== '{shard}'",
      tests: ['test/config/contradictions.test.ts'],
    },
  ]),
  ...mutantsOf('src/config/rules/github-address.ts', [
    {
      id: "the token of a workflow goes to any GitHub's API",
      find: "  if (api?.href.replace(/\\/$/, '') === own) return [];",
      replace: '  if (api !== undefined) return [];',
      tests: ['test/config/authority.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/system/own-files.ts', [
    {
      id: 'a file is written through a link',
      find: 'isSymbolicLink() === true',
      replace: 'isSymbolicLink() === undefined',
      tests: ['test/system/own-files.test.ts'],
    },
  ]),
  ...mutantsOf('src/domain/text/shell-word.ts', [
    {
      id: 'a value of a printed command is not quoted',
      find: 'return plain.test(word) ? word : shellQuoted(word);',
      replace: 'return word;',
      tests: ['test/domain/shell-word.test.ts'],
    },
  ]),
  ...mutantsOf('src/config/load.ts', [
    {
      id: 'a link to the file of a CI variable is a configuration',
      find: "[resolve(path), real ?? '']",
      replace: '[resolve(path)]',
      tests: ['test/config/authority.test.ts'],
    },
    {
      id: 'a shard that the stack does not have is taken',
      find: '  if (isShard(shards, text)) return text;',
      replace: '  if (text.length > 1) return text as Shard;',
      tests: ['test/config/layers.test.ts'],
    },
    {
      id: 'a shard in other letters is meant',
      find: '  if (isShard(shards, text)) return text;',
      replace: '  if (isShard(shards, text.toLowerCase())) return text.toLowerCase() as Shard;',
      tests: ['test/config/layers.test.ts'],
    },
  ]),
  ...mutantsOf('src/config/layers/document.ts', [
    {
      id: 'a secret may stand in the file',
      find: '    ...findSecrets(text).map((offset) => ({ place: placeAt(offset), text: secretText })),\n',
      replace: '',
      tests: ['test/config/secrets.test.ts'],
    },
  ]),
  ...mutantsOf('src/domain/bake/latency.ts', [
    {
      id: 'a bake of days is looked at many times in a second',
      find: 'Math.max(forMs, atMostMs, ...signals',
      replace: 'Math.max(...signals',
      tests: ['test/config/bake.test.ts'],
    },
    {
      id: 'a query that has to be bad for a day is looked at many times in a second',
      find: ', ...signals.prometheus.map((query) => query.forMs));',
      replace: ');',
      tests: ['test/domain/bake/latency.test.ts'],
    },
  ]),
];
