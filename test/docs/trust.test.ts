import { expect, test } from '@jest/globals';
import { audienceOf } from '../../src/adapters/aws/aws-credentials.ts';
import { filesBelow, read } from '../structure/tree.ts';

interface Trust {
  readonly Statement: readonly {
    readonly Effect: string;
    readonly Principal: { readonly Federated: string };
    readonly Action: string;
    readonly Condition: Readonly<Record<string, Readonly<Record<string, string | string[]>>>>;
  }[];
}

const providers = {
  'trust-github': 'token.actions.githubusercontent.com',
  'trust-gitlab': 'gitlab.example.com',
} as const;

test.each(Object.entries(providers))(
  'the trust policy %s accepts only tokens of one repository, made for AWS',
  (name, provider) => {
    const { Statement } = JSON.parse(read(`examples/iam/${name}.json`)) as Trust;
    expect(Statement).toHaveLength(1);
    const [{ Effect, Principal, Action, Condition } = Statement[0] as never] = Statement;
    expect({ Effect, Action }).toEqual({
      Effect: 'Allow',
      Action: 'sts:AssumeRoleWithWebIdentity',
    });
    expect(Principal).toEqual({
      Federated: `arn:aws:iam::111122223333:oidc-provider/${provider}`,
    });
    // Only an exact comparison is safe: a pattern would also match similar names of branches or
    // repositories.
    expect(Object.keys(Condition)).toEqual(['StringEquals']);
    const { [`${provider}:aud`]: audience, [`${provider}:sub`]: subject } =
      Condition['StringEquals'] ?? {};
    expect(audience).toBe(audienceOf(Principal.Federated));
    const subjects = [subject ?? []].flat();
    expect(subjects.length).toBeGreaterThan(0);
    expect(subjects.filter((one) => /[*?]/.test(one))).toEqual([]);
  },
);

test('the trust policy for GitHub names the environments of its examples, in both forms', () => {
  const { Statement } = JSON.parse(read('examples/iam/trust-github.json')) as Trust;
  const subjects = Object.values(Statement[0]?.Condition['StringEquals'] ?? {}).flat();
  const named = filesBelow('examples/github')
    .flatMap((file) => [...read(file).matchAll(/^\s+\w*environment: *(\S+)$/gm)])
    .map(([, name = '']) => name.replaceAll("'", ''));
  expect(named).not.toEqual([]);
  for (const name of new Set(named))
    expect(subjects).toEqual(
      expect.arrayContaining([
        `repo:acme/runners:environment:${name}`,
        expect.stringMatching(new RegExp(`^repo:acme@\\d+/runners@\\d+:environment:${name}$`)),
      ]),
    );
});
