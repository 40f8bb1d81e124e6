import { expect, test } from '@jest/globals';
import { refuseAwsEnvironment } from '../../src/app/aws-environment.ts';

const config = '/home/me/.aws/config';

function checkProfile(profile: string, files: Readonly<Record<string, string>>) {
  return refuseAwsEnvironment({
    environment: { HOME: '/home/me', AWS_REGION: 'eu-west-1', AWS_PROFILE: profile },
    readFile: async (path) => files[path],
    findRegion: async () => 'eu-west-1',
    regions: [],
  });
}

test.each([
  ['linux', '[linux]', '[profile linux]'],
  ['a b', '["a b"]', '[profile "a b"]'],
])('AWS ignores a section without the word profile: %s', async (profile, section, meant) => {
  await expect(
    checkProfile(profile, { [config]: `[default]\n${section}\n` }),
  ).rejects.toMatchObject({
    fields: {
      why: [expect.stringContaining(`${config}, which has default, and`)],
      fix: [
        `Begin its section in ${config} with ${meant} instead of [${profile}].`,
        'Without a profile: unset AWS_PROFILE',
      ],
    },
  });
});

test('AWS reads a section without the word profile in the credentials file', async () => {
  const files = { [config]: '[linux]\n', '/home/me/.aws/credentials': '[linux]\n' };
  await expect(checkProfile('linux', files)).resolves.toBeUndefined();
});
