import { expect, test } from '@jest/globals';
import { toAwsFailure } from '../../src/adapters/aws/aws-failure.ts';

test.each([
  [
    { name: 'Error', message: 'ENOENT: open /token', code: 'ENOENT' },
    'unauthenticated',
    'ENOENT: open /token',
  ],
  [
    { name: 'Error', message: 'Region not accepted: region="".' },
    'refused',
    'Region not accepted: region="". Set AWS_REGION.',
  ],
])('what is wrong before anything is sent is no silence of AWS: %#', (error, kind, detail) => {
  const context = { source: 'SSM', effect: 'write', redact: (text: string) => text } as const;
  expect(toAwsFailure(error, context)).toMatchObject({ kind, effect: 'none', detail });
});
