import type { CloudWatch as Client, MetricAlarm } from '@aws-sdk/client-cloudwatch';
import type { AlarmReading, Alarms } from '../../../ports/cloud/alarms.ts';
import { lacking } from '../aws-client.ts';
import { readAwsPages } from '../pages.ts';
import type { CloudWatch } from '../services.ts';

/**
 * Limit of names per call:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeAlarms.html
 */
const mostNames = 100;
const states: Readonly<Record<string, AlarmReading['state']>> = { OK: 'ok', ALARM: 'alarm' };

export function createAlarms({
  cloudWatch,
  redact,
}: {
  readonly cloudWatch: CloudWatch;
  readonly redact: (text: string) => string;
}): Alarms {
  return {
    async read(names) {
      const found: AlarmReading[] = [];
      for (let from = 0; from < names.length; from += mostNames)
        found.push(
          ...(await describe({ cloudWatch, redact }, names.slice(from, from + mostNames))),
        );
      return found;
    },
  };
}

type Listed = Pick<MetricAlarm, 'AlarmName' | 'StateValue' | 'StateReason'>;

interface Options {
  readonly cloudWatch: CloudWatch;
  readonly redact: (text: string) => string;
}

async function describe(
  { cloudWatch, redact }: Options,
  names: readonly string[],
): Promise<readonly AlarmReading[]> {
  const what = `DescribeAlarms ${names.join(', ')}`;
  const all: Listed[] = [];
  const pages = readAwsPages({
    service: cloudWatch,
    what,
    call: (client: Client, token, options) =>
      client.describeAlarms(
        {
          AlarmNames: [...names],
          // Without this list, CloudWatch returns only metric alarms.
          AlarmTypes: ['CompositeAlarm', 'MetricAlarm', 'LogAlarm'],
          MaxRecords: mostNames,
          ...token,
        },
        options,
      ),
  });
  for await (const { MetricAlarms, CompositeAlarms, LogAlarms } of pages) {
    const lists = [MetricAlarms, CompositeAlarms, LogAlarms].filter((list) => list !== undefined);
    if (lists.length === 0)
      throw lacking(cloudWatch, what, 'no MetricAlarms, CompositeAlarms or LogAlarms');
    all.push(...lists.flat());
  }
  return names.map((name) => {
    const alarm = all.find(({ AlarmName: listed }) => listed === name);
    if (alarm === undefined) return { name, state: 'absent', detail: 'no such alarm exists' };
    const stateText = alarm.StateValue ?? 'no state';
    return {
      name,
      state: states[stateText] ?? 'unknown',
      detail: redact([stateText, ...(alarm.StateReason ? [alarm.StateReason] : [])].join(': ')),
    };
  });
}
