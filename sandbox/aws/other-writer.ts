import type { Body } from './operation.ts';
import type { Parameters } from './parameters.ts';
import { AwsRefusal } from './refusal.ts';

/** Somebody else's write that slips in just before the caller's. It is one that AWS would take. */
export function loseRace(parameters: Parameters, body: Body): void {
  const name = String(body['Name']);
  try {
    parameters.put({
      name,
      value: othersValue(currentValue(parameters, name) ?? String(body['Value'])),
      overwrite: true,
      type: body['Type'] as 'String' | undefined,
    });
  } catch (error) {
    // Then nobody could have written, and the caller's write meets its own refusal.
    if (!(error instanceof AwsRefusal)) throw error;
  }
}

function currentValue(parameters: Parameters, name: string): string | undefined {
  try {
    return parameters.read(name).value();
  } catch {
    return undefined;
  }
}

/** The same document under another writer's ids, where it has any. */
function othersValue(value: string): string {
  return value.replaceAll(
    /("(?:write_?id|deployment(?:_?id)?|job(?:_?id)?|nonce|id)"\s*:\s*)"[^"]*"/gi,
    '$1"other-writer"',
  );
}
