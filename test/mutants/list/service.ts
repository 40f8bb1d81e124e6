import { mutantsOf } from '../mutant.ts';

const judged = ['test/domain/service.test.ts'];
const played = ['test/scenarios/service.test.ts'];

/** The judge of service, and what may not get past it. */
export const service = [
  ...mutantsOf('src/domain/service.ts', [
    {
      id: 'a closed shard counts as proven to serve',
      find: "    return { kind: 'closed', reason: describeRegistration(look, rules) };",
      replace:
        "    return { kind: 'proven', reason: describeRegistration(look, rules), ageMs: 0 };",
      tests: judged,
    },
  ]),
  ...mutantsOf('src/stages/irreversible.ts', [
    {
      id: 'a shard whose service is unknown counts as proven to serve',
      find: "  if (service.kind === 'proven') return;\n",
      replace: "  if (service.kind === 'proven' || service.kind === 'unknown') return;\n",
      tests: played,
    },
    {
      id: 'an irreversible effect is reached past the judge of service',
      find: '): Promise<Ports> {\n  await onlyIfOtherServes(context, shard);\n',
      replace: '): Promise<Ports> {\n',
      tests: played,
    },
  ]),
  ...mutantsOf('src/stages/service-keeper.ts', [
    {
      id: 'the drained shard is opened without a disproof',
      find: '        if (forMs < unknownForMs) return;\n',
      replace: '',
      tests: played,
    },
  ]),
  ...mutantsOf('src/stages/reopen.ts', [
    {
      id: 'a hold forbids that the drained shard is opened again',
      find: "  await guarded(context, 'record', () => journal.fence());\n",
      replace:
        "  await (await import('./effect.ts')).refuseWhenHeld(context);\n  await guarded(context, 'record', () => journal.fence());\n",
      tests: played,
    },
  ]),
];
