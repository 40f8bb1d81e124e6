import { expect, test } from '@jest/globals';
import type { Registration } from '../../src/domain/registration.ts';
import type { RegistrationId } from '../../src/domain/shard.ts';
import { isDeployError } from '../../src/errors/deploy-error.ts';
import { requireNamed } from '../../src/operator/takeover/registration-choice.ts';
import { PortFailure } from '../../src/ports/failure.ts';
import { pink, recordAt } from '../domain/samples.ts';
import { type Answers, report, standAlone, unreachable } from '../steps/standing.ts';

const id = '48009' as RegistrationId;
const registration = { id, description: 'wrong-one', note: '', tags: ['foo'] };

const manager = { id: 701, systemId: 's_111111111111' };
const none = { kind: 'silent', reason: 'the SSM agent does not respond' };
const unknown = report();
const another = report({ systemId: 's_222222222222' });
const its = report({ systemId: manager.systemId });
const failing = () => Promise.reject(unreachable());

/** Returns the reason why runner 48009 is not pink's; undefined if it is. */
async function findReason(
  reports: Record<string, object>,
  { ended = [] as readonly string[], ec2 = true } = {},
): Promise<string | undefined> {
  const { context } = standAlone({
    registry: { listWorkers: async () => ({ kind: 'found', value: [manager] }) },
    host: {
      list: async () => Object.keys(reports).map((one) => ({ id: one, agent: 'online' })),
      look: async (one: string) => {
        const answer = reports[one];
        return typeof answer === 'function' ? answer() : answer;
      },
    },
    instances: {
      list: ec2 ? async () => ended.map((one) => ({ id: one, state: 'terminated' })) : failing,
    },
  } as unknown as Answers);
  const facts = {
    shard: pink,
    registration: registration as unknown as Registration,
    record: recordAt(),
    ofOther: [],
  };
  try {
    await requireNamed(context, facts);
    return undefined;
  } catch (error) {
    if (!isDeployError(error)) throw error;
    return (error.fields.why ?? []).join(' ').replace('Its description is "wrong-one", and ', '');
  }
}

test.each<[string, Record<string, object>, readonly string[], string | undefined]>([
  ['a host of the shard reports it', { 'i-1': its }, [], undefined],
  ['one of its hosts reports it', { 'i-1': another, 'i-2': its }, [], undefined],
  [
    'every host of the shard has another runner',
    { 'i-1': another },
    [],
    'none of its managers runs on i-1 of pink.',
  ],
  ['a host does not respond', { 'i-1': another, 'i-2': none }, [], 'i-2 of pink does not respond.'],
  [
    'a host cannot be queried',
    { 'i-1': another, 'i-2': failing },
    [],
    'i-2 of pink does not respond.',
  ],
  ['a later host reports it', { 'i-1': failing, 'i-2': its }, [], undefined],
  [
    'a machine has ended',
    { 'i-0': none, 'i-1': another },
    ['i-0'],
    'none of its managers runs on i-1 of pink.',
  ],
  [
    'every machine of it has ended',
    { 'i-0': none, 'i-1': failing },
    ['i-0', 'i-1'],
    'pink has no host.',
  ],
  [
    'a host does not report its runner',
    { 'i-1': another, 'i-2': unknown },
    [],
    'it is unknown which manager runs on i-2 of pink.',
  ],
  [
    'one host does not respond, and another does not report its runner',
    { 'i-1': none, 'i-2': unknown },
    [],
    'i-1 of pink does not respond, and it is unknown which manager runs on i-2 of pink.',
  ],
])('the hosts decide which shard a runner belongs to, if %s', async (_, reports, ended, reason) => {
  expect(await findReason(reports, { ended })).toBe(reason);
});

test('a machine without a response may exist if EC2 does not respond', async () => {
  expect(await findReason({ 'i-0': none }, { ec2: false })).toBe('i-0 of pink does not respond.');
});

test('lost credentials do not count as a host without a response', async () => {
  const fields = { source: 'AWS', detail: 'the token is over' } as const;
  const out = new PortFailure({ kind: 'ended', effect: 'none', ...fields });
  await expect(findReason({ 'i-0': () => Promise.reject(out) })).rejects.toBe(out);
});
