import { describe, expect, test } from '@jest/globals';
import { createAlarms } from '../../../src/adapters/aws/alarms/cloudwatch-alarms.ts';
import { asked, recorded } from '../asked.ts';

const alarms = (answer: object) =>
  createAlarms({ cloudWatch: asked({ describeAlarms: answer }), redact: (text) => text });

describe('alarms of CloudWatch', () => {
  test('have the state that AWS gives them, in its words, of each type', async () => {
    const read = alarms({
      MetricAlarms: [
        { AlarmName: 'one', StateValue: 'OK' },
        { AlarmName: 'two', StateValue: 'ALARM', StateReason: '7 errors' },
        { AlarmName: 'three', StateValue: 'INSUFFICIENT_DATA', StateReason: 'no data' },
      ],
      CompositeAlarms: [{ AlarmName: 'four', StateValue: 'A_NEW_ONE' }],
      LogAlarms: [{ AlarmName: 'six', StateValue: 'ALARM', StateReason: '3 lines matched' }],
    });
    expect(await read.read(['one', 'two', 'three', 'four', 'five', 'six'])).toEqual([
      { name: 'one', state: 'ok', detail: 'OK' },
      { name: 'two', state: 'alarm', detail: 'ALARM: 7 errors' },
      { name: 'three', state: 'unknown', detail: 'INSUFFICIENT_DATA: no data' },
      { name: 'four', state: 'unknown', detail: 'A_NEW_ONE' },
      { name: 'five', state: 'absent', detail: 'there is no such alarm' },
      { name: 'six', state: 'alarm', detail: 'ALARM: 3 lines matched' },
    ]);
  });

  test('are asked for a hundred at a time', async () => {
    const { service, called } = recorded<never>({ describeAlarms: { MetricAlarms: [] } });
    const read = createAlarms({ cloudWatch: service, redact: (text) => text });
    expect(await read.read(Array.from({ length: 101 }, (_, at) => `a${at}`))).toHaveLength(101);
    expect(called).toHaveLength(2);
  });

  test('are not read out of an answer without any', async () => {
    await expect(alarms({}).read(['one'])).rejects.toMatchObject({ kind: 'unexpected' });
  });

  test('are no good one where AWS refuses', async () => {
    const refusal = Object.assign(new Error('not authorized'), { name: 'AccessDenied' });
    await expect(alarms(refusal).read(['one'])).rejects.toBeDefined();
  });
});
