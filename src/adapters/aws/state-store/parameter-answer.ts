import type { Parameter as SsmParameter } from '@aws-sdk/client-ssm';
import type { Parameter } from '../../../ports/state-store.ts';
import { unexpectedAwsAnswer } from '../aws-failure.ts';

/** Refuses a response without a value, version or date, or about another parameter. */
export function validParameter({
  what,
  name,
  given,
}: {
  what: string;
  name: string;
  given: Pick<SsmParameter, 'Name' | 'Value' | 'Version' | 'LastModifiedDate'> | undefined;
}): Parameter {
  const refuse = (detail: string) => unexpectedAwsAnswer('SSM', { what, detail, effect: 'read' });
  if (given === undefined) throw refuse('the response has no Parameter');
  if (given.Name !== name) throw refuse(`the response is about ${given.Name ?? 'no parameter'}`);
  if (typeof given.Value !== 'string') throw refuse('the response has no Value');
  if (!isVersion(given.Version)) throw refuse('the response has no Version');
  const modifiedAt = given.LastModifiedDate;
  if (!(modifiedAt instanceof Date) || Number.isNaN(modifiedAt.getTime())) {
    throw refuse('the response has no LastModifiedDate');
  }
  return { value: given.Value, version: given.Version, modifiedAt: modifiedAt.toISOString() };
}

export function validVersion({ what, given }: { what: string; given: unknown }): number {
  if (isVersion(given)) return given;
  throw unexpectedAwsAnswer('SSM', {
    what,
    detail: 'the response has no Version',
    effect: 'write',
  });
}

function isVersion(given: unknown): given is number {
  return Number.isSafeInteger(given) && (given as number) >= 1;
}
