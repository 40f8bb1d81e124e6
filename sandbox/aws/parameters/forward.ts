import type { Body } from '../operation.ts';
import { AwsRefusal } from '../refusal.ts';
import type { Parameters } from './parameters.ts';

/** Access to Parameter Store at an emulator. The sandbox provides everything else. */
export interface Forward {
  takes(operation: string): boolean;
  send(request: Request, text: string): Promise<Response>;
  /** Reads a runner's token, which machines also take from the emulator. */
  readSecret(name: string): Promise<string | undefined>;
}

export function createForward(url: string): Forward {
  const post = (headers: Record<string, string>, body: string) =>
    fetch(url, { method: 'POST', headers, body, redirect: 'error' });
  return {
    takes: (operation) => /Parameter|TagsToResource/.test(operation),
    async send(request, text) {
      const answer = await post(passedHeaders(request.headers), text);
      const type = answer.headers.get('content-type') ?? 'application/x-amz-json-1.1';
      const headers = { 'content-type': type };
      return new Response(await answer.text(), { status: answer.status, headers });
    },
    async readSecret(name) {
      const answer = await post(ownHeaders, JSON.stringify({ Name: name, WithDecryption: true }));
      if (!answer.ok) return undefined;
      const body = (await answer.json()) as { Parameter?: { Value?: string } };
      return body.Parameter?.Value;
    },
  };
}

// Emulators read the region from the signature's scope and do not check the signature.
const ownHeaders = {
  'content-type': 'application/x-amz-json-1.1',
  'x-amz-target': 'AmazonSSM.GetParameter',
  authorization:
    'AWS4-HMAC-SHA256 Credential=SANDBOX/20260101/eu-west-1/ssm/aws4_request, SignedHeaders=host, Signature=0',
};

function passedHeaders(headers: Headers): Record<string, string> {
  const passed = ['content-type', 'x-amz-target', 'x-amz-date', 'authorization'];
  return Object.fromEntries(
    passed.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

/** Inserts another process's write just before the caller's. AWS would accept it. */
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
    // If AWS refuses that write, the caller's write is refused as well.
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

/** Returns the same document with another writer's ids. */
function othersValue(value: string): string {
  return value.replaceAll(
    /("(?:write_?id|deployment(?:_?id)?|job(?:_?id)?|nonce|id)"\s*:\s*)"[^"]*"/gi,
    '$1"other-writer"',
  );
}
