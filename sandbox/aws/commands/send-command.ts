import type { Body } from '../operation.ts';
import { AwsRefusal } from '../refusal.ts';
import type { Commands, Target } from './commands.ts';
import { type Documents, fillDocument } from './documents.ts';

/** Sends a command with AWS's shell document, or with a document from CreateDocument. */
export function sendCommand(
  { commands, documents }: { commands: Commands; documents: Documents },
  body: Body,
  nowMs: number,
): Body {
  const documentName = String(body['DocumentName'] ?? '');
  const parameters = (body['Parameters'] ?? {}) as Record<string, string[]>;
  const order = /(?:^|\/)AWS-RunShellScript$/.test(documentName)
    ? shellOrder(parameters)
    : fillDocument(documents.pick(documentName, body), parameters);
  const deliverySeconds = Number(body['TimeoutSeconds'] ?? 3600);
  checkTargets(body, order.executionSeconds);
  const { commandId, invocations } = commands.send({
    instanceIds: body['InstanceIds'] as string[] | undefined,
    targets: body['Targets'] as Target[] | undefined,
    documentName,
    comment: String(body['Comment'] ?? ''),
    script: order.lines.join('\n'),
    deliveryTimeoutMs: deliverySeconds * 1000,
    executionTimeoutMs: order.executionSeconds * 1000,
  });
  return {
    Command: {
      CommandId: commandId,
      DocumentName: documentName,
      Comment: String(body['Comment'] ?? ''),
      Status: 'Pending',
      StatusDetails: 'Pending',
      RequestedDateTime: nowMs / 1000,
      ExpiresAfter: nowMs / 1000 + deliverySeconds + order.executionSeconds,
      Parameters: parameters,
      InstanceIds: body['InstanceIds'] ?? [],
      Targets: body['Targets'] ?? [],
      TargetCount: invocations.length,
      CompletedCount: 0,
      ErrorCount: 0,
      DeliveryTimedOutCount: 0,
      TimeoutSeconds: deliverySeconds,
    },
  };
}

function shellOrder(parameters: Readonly<Record<string, string[]>>) {
  const lines = parameters['commands'];
  if (lines === undefined || lines.length === 0) {
    throw new AwsRefusal('InvalidParameters', 'Parameters: commands is required.');
  }
  return { lines, executionSeconds: Number(parameters['executionTimeout']?.[0] ?? 3600) };
}

function checkTargets(body: Body, executionSeconds: number): void {
  const ids = (body['InstanceIds'] ?? []) as string[];
  const targets = (body['Targets'] ?? []) as Target[];
  if (ids.length === 0 && targets.length === 0) {
    throw new AwsRefusal('InvalidTarget', 'Either InstanceIds or Targets must be given.');
  }
  if (!(executionSeconds >= 1 && executionSeconds <= 172_800)) {
    throw new AwsRefusal('InvalidParameters', 'executionTimeout must be from 1 to 172800.');
  }
}
