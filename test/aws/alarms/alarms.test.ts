import { expect, test } from '@jest/globals';
import { createAlarms } from '../../../src/adapters/aws/alarms/cloudwatch-alarms.ts';
import { createClient } from '../stub-client.ts';

test('CloudWatch alarms of each type have the state that AWS reports', async () => {
  const describeAlarms = {
    MetricAlarms: [
      { AlarmName: 'one', StateValue: 'OK' },
      { AlarmName: 'two', StateValue: 'ALARM', StateReason: '7 errors' },
      { AlarmName: 'three', StateValue: 'INSUFFICIENT_DATA', StateReason: 'no data' },
    ],
    CompositeAlarms: [{ AlarmName: 'four', StateValue: 'A_NEW_ONE' }],
    LogAlarms: [{ AlarmName: 'six', StateValue: 'ALARM', StateReason: '3 lines matched' }],
  };
  const read = createAlarms({
    cloudWatch: createClient({ describeAlarms }),
    redact: (text) => text,
  });
  expect(await read.read(['one', 'two', 'three', 'four', 'five', 'six'])).toEqual([
    { name: 'one', state: 'ok', detail: 'OK' },
    { name: 'two', state: 'alarm', detail: 'ALARM: 7 errors' },
    { name: 'three', state: 'unknown', detail: 'INSUFFICIENT_DATA: no data' },
    { name: 'four', state: 'unknown', detail: 'A_NEW_ONE' },
    { name: 'five', state: 'absent', detail: 'no such alarm exists' },
    { name: 'six', state: 'alarm', detail: 'ALARM: 3 lines matched' },
  ]);
});
