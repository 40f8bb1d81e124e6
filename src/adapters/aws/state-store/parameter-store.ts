import type { PutParameterCommandInput } from '@aws-sdk/client-ssm';
import { isPortFailure, PortFailure } from '../../../ports/failure.ts';
import type { NewParameter, StateStore } from '../../../ports/state-store.ts';
import type { Ssm } from '../services.ts';
import { validVersion } from './parameter-answer.ts';
import { findInHistory, listHistory } from './parameter-history.ts';
import { createParameterReads, findParameter } from './parameter-reads.ts';

/**
 * Creates the state store in Parameter Store. Writes are sent once: after a lost response, they
 * reject with a PortFailure with effect `unknown`.
 */
export function createParameterStore({
  ssm,
  kmsKeyId,
}: {
  ssm: Ssm;
  /** Key for secrets. Absent: AWS uses the account's default key. */
  kmsKeyId?: string | undefined;
}): StateStore {
  const named = <T>(answer: Promise<T>) => answer.catch((error) => throwNamingKey(error, kmsKeyId));
  const find = createParameterReads(ssm);
  return {
    find: (name) => named(find(name)),
    findVersion: async (name, version) =>
      (await findParameter(ssm, name, `${name}:${version}`)) ?? findInHistory(ssm, name, version),
    listVersions: (name) => named(listHistory(ssm, name)),
    create: (parameter) => named(create(ssm, parameter, kmsKeyId)),
    overwrite: (parameter) => named(overwrite(ssm, parameter, kmsKeyId)),
    remove: (name) => remove(ssm, name),
  };
}

/** Adds the key to a refusal: KMS does not name it if the caller may not know of the key. */
function throwNamingKey(error: unknown, kmsKeyId = 'alias/aws/ssm'): never {
  if (!isPortFailure(error) || !/kms|ciphertext|customer master key|keyid/i.test(error.detail))
    throw error;
  if (error.detail.includes(kmsKeyId)) throw error;
  throw new PortFailure({ ...error, detail: `${error.detail} (the key is ${kmsKeyId})` });
}

async function create(ssm: Ssm, parameter: NewParameter, kmsKeyId: string | undefined) {
  const { allowedPattern, description } = parameter;
  const answer = await put(ssm, parameter, {
    Overwrite: false,
    Tier: 'Standard',
    ...typeOf(parameter.secret, kmsKeyId),
    ...(allowedPattern === undefined ? {} : { AllowedPattern: allowedPattern }),
    ...(description === undefined ? {} : { Description: description }),
  });
  return answer === 'taken'
    ? ({ kind: answer } as const)
    : ({ kind: 'created', ...answer } as const);
}

async function overwrite(
  ssm: Ssm,
  parameter: { name: string; value: string; secret?: boolean },
  kmsKeyId: string | undefined,
): Promise<{ version: number }> {
  // Each write names the key. Without it, AWS would use the account's default key.
  const how = { Overwrite: true, ...typeOf(parameter.secret, kmsKeyId) };
  const answer = await put(ssm, parameter, how);
  if (answer === 'taken') throw new Error('unreachable: nothing that is overwritten is taken');
  return answer;
}

async function put(
  ssm: Ssm,
  { name, value }: { name: string; value: string },
  how: Omit<PutParameterCommandInput, 'Name' | 'Value'>,
): Promise<{ version: number } | 'taken'> {
  const what = `PutParameter ${name}`;
  const answer = await ssm.send({
    what,
    effect: 'write',
    counts: 'parameters',
    call: (client) => client.putParameter({ Name: name, Value: value, ...how }),
    answers: how.Overwrite ? [] : ['ParameterAlreadyExists'],
  });
  if (answer.kind === 'refusal') return 'taken';
  return { version: validVersion({ what, given: answer.value.Version }) };
}

async function remove(ssm: Ssm, name: string): Promise<'removed' | 'absent'> {
  const answer = await ssm.send({
    what: `DeleteParameter ${name}`,
    effect: 'write',
    counts: 'parameters',
    call: (client) => client.deleteParameter({ Name: name }),
    answers: ['ParameterNotFound'],
  });
  return answer.kind === 'refusal' ? 'absent' : 'removed';
}

function typeOf(
  secret: boolean | undefined,
  kmsKeyId: string | undefined,
): { Type: 'String' | 'SecureString'; KeyId?: string } {
  if (secret !== true) return { Type: 'String' };
  return { Type: 'SecureString', ...(kmsKeyId === undefined ? {} : { KeyId: kmsKeyId }) };
}
