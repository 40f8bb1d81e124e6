import { describe, expect, test } from '@jest/globals';
import { policyFiles } from '../../../generate/policies.ts';
import { allows, readPolicy } from '../../docs/policy.ts';

describe.each(['prepare', 'healthcheck'])('examples/iam/%s-document.json', (role) => {
  const byDocument = readPolicy(`examples/iam/${role}-document.json`);
  const sends = (resource: string) => allows(byDocument, { action: 'ssm:SendCommand', resource });
  const own = 'arn:aws:ssm:eu-central-1:111122223333:document/hosted-runner-checks-linux';
  const shell = 'arn:aws:ssm:eu-central-1::document/AWS-RunShellScript';

  test('allows the check document and no other', () => {
    expect(sends(own)).toBe(true);
    expect(sends(shell)).toBe(false);
    expect(sends(`${own}-large`)).toBe(false);
    expect(sends(own.replace('111122223333', ''))).toBe(false);
  });

  test('allows everything else that the role may do without a document', () => {
    const usual = readPolicy(`examples/iam/${role}.json`);
    const rest = (policy: typeof usual) =>
      policy.Statement.filter(({ Resource }) => !Resource.join().includes(':document/'));
    expect(rest(byDocument)).toEqual(rest(usual));
    expect(allows(usual, { action: 'ssm:SendCommand', resource: shell })).toBe(true);
  });
});

test('no policy allows the role to change a document', () => {
  const changing = policyFiles().filter(({ text }) =>
    /ssm:(?:Create|Update|Delete)Document/.test(text),
  );
  expect(changing).toEqual([]);
});
