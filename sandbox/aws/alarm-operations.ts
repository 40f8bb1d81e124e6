import type { Alarm, Signals } from '../signals/signals.ts';
import { accountId, region } from './access/authorization.ts';
import type { Body, OperationCall } from './operation.ts';
import { AwsRefusal } from './refusal.ts';

/**
 * Creates the operations for CloudWatch alarms. The protocol is JSON 1.0, with the older error
 * names in a header.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeAlarms.html
 * The response contains empty lists too (an assumption).
 */
export function alarmOperations(
  signals: Signals,
): Readonly<Record<string, (call: OperationCall) => Body>> {
  return {
    DescribeAlarms: ({ body }) => {
      const { names, types, prefix, state, most, from } = questionOf(body);
      const found = signals
        .alarms()
        .filter(({ kind }) => types.includes(typeNames[kind]))
        .filter(({ name }) => names === undefined || names.includes(name))
        .filter(({ name }) => name.startsWith(prefix))
        .filter((alarm) => state === undefined || alarm.state === state);
      const page = found.slice(from, from + most);
      const isLast = from + most >= found.length;
      return {
        MetricAlarms: page.filter(({ kind }) => kind === 'metric').map(present),
        CompositeAlarms: page.filter(({ kind }) => kind === 'composite').map(present),
        LogAlarms: page.filter(({ kind }) => kind === 'log').map(present),
        ...(isLast ? {} : { NextToken: String(from + most) }),
      };
    },
  };
}

const typeNames = { metric: 'MetricAlarm', composite: 'CompositeAlarm', log: 'LogAlarm' } as const;
const usualPage = 50;

function questionOf(body: Body) {
  const names = body['AlarmNames'] as readonly string[] | undefined;
  const most = Number(body['MaxRecords'] ?? usualPage);
  const token = body['NextToken'] === undefined ? '0' : String(body['NextToken']);
  if (!/^\d{1,9}$/.test(token)) throw invalid('InvalidNextToken', 'The next token is invalid.');
  // Without this parameter, CloudWatch returns only metric alarms.
  const types = (body['AlarmTypes'] ?? [typeNames.metric]) as readonly string[];
  return {
    names,
    most,
    from: Number(token),
    types,
    prefix: String(body['AlarmNamePrefix'] ?? ''),
    state: body['StateValue'] as string | undefined,
  };
}

function invalid(code: string, message: string): AwsRefusal {
  return new AwsRefusal(code, message);
}

function present({ name, state, reason, updatedAtMs }: Alarm): object {
  return {
    AlarmName: name,
    AlarmArn: `arn:aws:cloudwatch:${region}:${accountId}:alarm:${name}`,
    ActionsEnabled: true,
    StateValue: state,
    StateReason: reason,
    StateUpdatedTimestamp: updatedAtMs / 1000,
  };
}
