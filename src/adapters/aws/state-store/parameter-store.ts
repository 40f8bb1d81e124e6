import { isPortFailure, PortFailure } from '../../../ports/failure.ts';
import type { NewParameter, StateStore } from '../../../ports/state-store.ts';
import type { Ssm } from '../services.ts';
import { validVersion } from './parameter-answer.ts';
import { findInHistory, listHistory } from './parameter-history.ts';
import { createParameterReads, findParameter } from './parameter-reads.ts';

/** Parameter Store. Writes are sent once: a lost answer is a PortFailure with effect `unknown`. */
export function createParameterStore({
  ssm,
  kmsKeyId,
}: {
  ssm: Ssm;
  /** For secrets; without it AWS uses the account's own key. */
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

/** KMS refuses without a word about which key it was, where the caller may not know of it. */
function throwNamingKey(error: unknown, kmsKeyId = 'alias/aws/ssm'): never {
  if (!isPortFailure(error) || !/kms|ciphertext|customer master key|keyid/i.test(error.detail))
    throw error;
  if (error.detail.includes(kmsKeyId)) throw error;
  throw new PortFailure({ ...error, detail: `${error.detail} (the key is ${kmsKeyId})` });
}

async function create(
  ssm: Ssm,
  parameter: NewParameter,
  kmsKeyId: string | undefined,
): ReturnType<StateStore['create']> {
  const { name, value, secret, allowedPattern, description } = parameter;
  const what = `PutParameter ${name}`;
  const answer = await ssm.ask({
    what,
    effect: 'write',
    counts: 'parameters',
    call: (client) =>
      client.putParameter({
        Name: name,
        Value: value,
        Overwrite: false,
        Tier: 'Standard',
        ...typeOf(secret, kmsKeyId),
        ...(allowedPattern === undefined ? {} : { AllowedPattern: allowedPattern }),
        ...(description === undefined ? {} : { Description: description }),
      }),
    answers: ['ParameterAlreadyExists'],
  });
  if (answer.kind === 'refusal') return { kind: 'taken' };
  return { kind: 'created', version: validVersion({ what, given: answer.value.Version }) };
}

async function overwrite(
  ssm: Ssm,
  { name, value, secret }: { name: string; value: string; secret?: boolean },
  kmsKeyId: string | undefined,
): Promise<{ version: number }> {
  const what = `PutParameter ${name}`;
  const answer = await ssm.ask({
    what,
    effect: 'write',
    counts: 'parameters',
    call: (client) =>
      // The key is named each time: without it AWS would go back to the account's own.
      client.putParameter({
        Name: name,
        Value: value,
        Overwrite: true,
        ...typeOf(secret, kmsKeyId),
      }),
  });
  if (answer.kind === 'refusal') throw new Error('unreachable: no refusal is an answer here');
  return { version: validVersion({ what, given: answer.value.Version }) };
}

async function remove(ssm: Ssm, name: string): Promise<'removed' | 'absent'> {
  const answer = await ssm.ask({
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
