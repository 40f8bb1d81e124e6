import { mutantsOf } from '../mutant.ts';

/** What is taken of a shard last, and the next one's token, which that could take. */
export const destruction = [
  ...mutantsOf('src/stages/removal/destroy.ts', [
    {
      id: 'the sweep for what is left is skipped',
      find: '  await proveNothingLeft(context, shard);\n',
      replace: '',
    },
    {
      id: 'the token of a dead shard stays',
      find: '    await ports.parameters.overwrite({ name, value: retiredToken, secret: true });',
      replace: '    await Promise.resolve();',
    },
    {
      id: 'an overwrite that was not answered is taken for a removal',
      find: '    if (!isPortFailure(error)) throw error;\n    return false;',
      replace: '    if (!isPortFailure(error)) throw error;\n    return true;',
    },
    {
      id: 'a removal in which another run died is begun with an overwrite',
      find: "resumedIn !== 'destroying' && ",
      replace: '',
    },
    {
      id: 'a retreat in which another run died is gone on with by an overwrite',
      find: " && resumedIn !== 'retreating';",
      replace: ';',
    },
    {
      id: 'infrastructure that cannot be asked is not destroyed',
      find: "(await ports.infrastructure.exists(target)) !== 'absent') {",
      replace: "(await ports.infrastructure.exists(target)) === 'present') {",
    },
    {
      id: 'a candidate is called gone while the apply of a dead run goes on',
      find: '  if (mayBeBuilt || ',
      replace: '  if (',
      tests: ['test/scenarios/candidate/tool-goes-on.test.ts'],
    },
    {
      id: 'hosts that still exist are overlooked',
      find: 'left.push(...hosts.map(({ id }) => `host ${id} of ${shard} still exists`));',
      replace:
        'left.push(...hosts.slice(99).map(({ id }) => `host ${id} of ${shard} still exists`));',
    },
    {
      id: 'duplicates of a dead shard’s registration are overlooked',
      find: 'await withManagers(context, await ports.registry.findByShard(target))',
      replace: 'await withManagers(context, [])',
    },
  ]),
  ...mutantsOf('src/stages/health/healthcheck.ts', [
    {
      id: 'a token that goes before the candidate boots is not looked at',
      find: '  await keepToken(context, candidate);\n',
      replace: '',
      tests: ['test/scenarios/endings/token-name.test.ts'],
    },
    {
      id: 'a registration that was made a minute late stays',
      find: '    await removeTwins(context, candidate, registration);\n',
      replace: '    await Promise.resolve();\n',
      tests: ['test/scenarios/candidate/late-registration.test.ts'],
    },
    {
      id: 'a candidate whose token went after its contact is promoted',
      find: "    (await keepToken(context, candidate)) === 'kept'\n",
      replace: "    (await Promise.resolve('kept')) === 'kept'\n",
    },
  ]),
  ...mutantsOf('src/stages/service/nothing-serves.ts', [
    {
      id: 'what is closed and has been silent for long is never taken',
      find: '  if (ageMs !== undefined && ageMs > requestWithinMs) return undefined;\n',
      replace: '  if (ageMs !== undefined && ageMs === -1) return undefined;\n',
      tests: ['test/scenarios/drain/closed-and-silent.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/drain/drain-limits.ts', [
    {
      id: 'a drain tells a host that hangs to kill its jobs until the CI ends the run',
      find: '    if (!isDeadlineWithin(context, pollMs + marginMs)) return;\n',
      replace: '    if (unheard !== undefined) return;\n',
      tests: ['test/scenarios/drain/force-after.test.ts'],
    },
    {
      id: 'what the configuration refuses is printed to kill jobs',
      find: "const asksHosts = settings.host.access !== 'none' ||",
      replace: 'const asksHosts = settings.host !== undefined ||',
      tests: ['test/scenarios/drain/force-after.test.ts'],
    },
  ]),
];
