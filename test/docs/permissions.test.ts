import { describe, expect, test } from '@jest/globals';
import { policyFiles, renderPermissions } from '../../generate/policies.ts';
import { permissions } from '../../src/adapters/aws/access/permissions.ts';
import { filesBelow, read } from '../structure/tree.ts';
import { allows, readPolicy, toPolicy } from './policy.ts';

const text = read('docs/use/permissions.md');
const parameters = 'arn:aws:ssm:eu-central-1:111122223333:parameter/gitlab/dedicated/runner';
const hosts = 'arn:aws:ec2:eu-central-1:111122223333:instance/i-0123456789abcdef0';
const deploy = readPolicy('examples/iam/deploy.json');

function sourcesOf(folder: string): string {
  return filesBelow(folder)
    .filter((path) => path.endsWith('.ts'))
    .map(read)
    .join('\n');
}

/** Methods of gitbeaker with the calls that they make. */
const methods: Readonly<Record<string, string>> = {
  'jobs.cancel': 'POST /projects/:id/jobs/:id/cancel',
  'jobs.play': 'POST /projects/:id/jobs/:id/play',
  'jobs.retry': 'POST /projects/:id/jobs/:id/retry',
  'runners.edit': 'PUT /runners/:id',
  'runners.enable': 'POST /projects/:id/runners',
  'runners.remove': 'DELETE /runners/:id',
  'tokens.show': 'GET /personal_access_tokens/self',
  'users.createCIRunner': 'POST /user/runners',
  'users.showCurrentUser': 'GET /user',
};

describe('docs/use/permissions.md', () => {
  test('names every GitLab call by a method of the client', () => {
    const used = sourcesOf('src/adapters/gitlab').matchAll(
      /\bclient\.((?!raw|redactor)\w+\.\w+)\(/g,
    );
    const calls = [...used].map(([, method = '']) => methods[method] ?? `unknown: ${method}`);
    expect(calls.filter((call) => !text.includes(`\`${call}\``))).toEqual([]);
  });

  test('names every GitLab path that the program requests directly', () => {
    const literals = sourcesOf('src/adapters/gitlab').matchAll(
      /[`'](?:\$\{project\}|(?:runners|projects|groups)\/)[^`']*[`']/g,
    );
    const paths = [...literals].map(([literal]) =>
      literal
        .slice(1, -1)
        .replace(/^\$\{project\}/, 'projects/:id')
        .replace(/\$\{[^}]*\}/g, ':id'),
    );
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !text.includes(` /${path}\``))).toEqual([]);
  });

  test('names the permission of a fine-grained token for every call to GitLab', () => {
    const [classic = '', rest = ''] = text.split('### Fine-grained tokens');
    const [granular = ''] = rest.split('\n## ');
    const calls = (part: string) => [
      ...new Set([...part.matchAll(/`((?:GET|POST|PUT|DELETE) \/[^`]*)`/g)].map(([, one]) => one)),
    ];
    expect(calls(classic).length).toBeGreaterThan(30);
    expect(calls(classic).filter((call) => !calls(granular).includes(call))).toEqual([]);
  });

  test('names exactly the AWS operations that the program calls, like the table in the code', () => {
    const used = [...sourcesOf('src/adapters/aws').matchAll(/\bclient\.([a-z]\w+)\(/g)]
      .map(([, name = '']) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`)
      .filter((name) => !['Operation', 'Region', 'Destroy', 'Send'].includes(name));
    // The first two need no permission: a trust policy allows a role to be assumed.
    const besides = ['GetCallerIdentity', 'AssumeRoleWithWebIdentity', 'SimulatePrincipalPolicy'];
    const permitted = permissions.map(({ action }) => action.slice(action.indexOf(':') + 1));
    expect([...new Set(used)].sort()).toEqual([...new Set([...permitted, ...besides])].sort());
    expect(text).toContain(renderPermissions());
  });
});

describe('examples/iam/deploy.json', () => {
  test.each([
    ['deployment_status', ['Get', 'Put']],
    ['deployment_record', ['Get', 'Put']],
    ['deployment_lock', ['Get', 'Put']],
    ['deployment_hold', ['Get', 'Put']],
  ])('allows on %s of its stack only %j', (name, verbs) => {
    for (const verb of ['Get', 'Put', 'Delete']) {
      const on = (stack: string) => ({
        action: `ssm:${verb}Parameter`,
        resource: `${parameters}/${stack}/${name}`,
      });
      expect(allows(deploy, on('linux'))).toBe(verbs.includes(verb));
      expect(allows(deploy, on('linux-large'))).toBe(false);
      expect(allows(deploy, on('linux/other'))).toBe(false);
    }
  });

  const tagged = (stack: string, shard: string) => ({
    'aws:ResourceTag/hosted-runner:stack': stack,
    'aws:ResourceTag/hosted-runner:shard': shard,
  });

  test.each([
    ['ec2:TerminateInstances', hosts],
    ['ec2:DeleteSecurityGroup', hosts.replace('instance/i-', 'security-group/sg-')],
    ['ec2:DeleteNetworkInterface', hosts.replace('instance/i-', 'network-interface/eni-')],
    [
      'autoscaling:CompleteLifecycleAction',
      'arn:aws:autoscaling:eu-central-1:111122223333:autoScalingGroup:0:autoScalingGroupName/x',
    ],
  ])(
    'allows %s by both tags, to no other stack, no other shard and nothing untagged',
    (action, resource) => {
      const may = (context: Record<string, string>) =>
        allows(deploy, { action, resource, context });
      expect(may(tagged('linux', 'pink'))).toBe(true);
      expect(may(tagged('linux-large', 'pink'))).toBe(false);
      expect(may(tagged('linux', 'green'))).toBe(false);
      expect(may({ 'aws:ResourceTag/hosted-runner:stack': 'linux' })).toBe(false);
      expect(may({})).toBe(false);
    },
  );

  test.each(['pink', 'purple'])('allows to send commands to the hosts of %s', (shard) => {
    const context = { 'ssm:resourceTag/Name': `${shard}-linux_runner-manager` };
    expect(allows(deploy, { action: 'ssm:SendCommand', resource: hosts, context })).toBe(true);
  });

  test.each(['pink-linux-large_runner-manager', 'database', undefined])(
    'refuses to send commands to a host with the name %s',
    (name) => {
      const context: Record<string, string> =
        name === undefined ? {} : { 'ssm:resourceTag/Name': name };
      expect(allows(deploy, { action: 'ssm:SendCommand', resource: hosts, context })).toBe(false);
    },
  );

  test('refuses every other document', () => {
    const resource = 'arn:aws:ssm:eu-central-1::document/AWS-RunPowerShellScript';
    expect(allows(deploy, { action: 'ssm:SendCommand', resource })).toBe(false);
  });
});

test('a role that may take or show the lock may also read its history', () => {
  const resource = `${parameters}/linux/deployment_lock`;
  for (const { path } of policyFiles()) {
    const policy = readPolicy(path);
    const may = (action: string) => allows(policy, { action: `ssm:${action}`, resource });
    expect({ path, deletes: may('DeleteParameter') }).toEqual({ path, deletes: false });
    if (may('PutParameter') || path.endsWith('/status.json'))
      expect({ path, reads: may('GetParameterHistory') }).toEqual({ path, reads: true });
  }
});

test('examples/iam/status.json reads no token and writes nothing', () => {
  const status = readPolicy('examples/iam/status.json');
  const record = `${parameters}/linux/deployment_record`;
  expect(allows(status, { action: 'ssm:GetParameter', resource: record })).toBe(true);
  expect(allows(status, { action: 'ssm:PutParameter', resource: record })).toBe(false);
  const token = `${parameters}/linux/pink/runner_token`;
  expect(allows(status, { action: 'ssm:GetParameter', resource: token })).toBe(false);
});

test('examples/iam/runner-manager.json permits only the token of its shard', () => {
  const manager = readPolicy('examples/iam/runner-manager.json');
  const read = (shard: string) =>
    allows(manager, {
      action: 'ssm:GetParameter',
      resource: `${parameters}/linux/${shard}/runner_token`,
    });
  expect([read('pink'), read('purple')]).toEqual([true, false]);
});

test.each([
  ['the status of its stack', 'ssm:GetParameter', '/linux/deployment_status'],
  ['the lock of its stack', 'ssm:GetParameterHistory', '/linux/deployment_lock'],
  ['its own token among others', 'ssm:GetParametersByPath', '/linux/pink'],
  ["another stack's token", 'ssm:GetParameters', '/windows/pink/runner_token'],
])('the role of a host does not permit %s, whatever else it has', (_, action, name) => {
  const manager = readPolicy('examples/iam/runner-manager.json');
  // Policy like AmazonSSMManagedInstanceCore, which an operator may attach.
  const managed = toPolicy({
    Statement: [{ Effect: 'Allow', Action: [action, 'ssm:GetParameter'], Resource: '*' }],
  });
  const both = { Statement: [...manager.Statement, ...managed.Statement] };
  expect(allows(managed, { action, resource: `${parameters}${name}` })).toBe(true);
  expect(allows(both, { action, resource: `${parameters}${name}` })).toBe(false);
  const own = `${parameters}/linux/pink/runner_token`;
  expect(allows(both, { action: 'ssm:GetParameter', resource: own })).toBe(true);
});

test('the key decrypts the token of its shard, and no other value', () => {
  const manager = readPolicy('examples/iam/runner-manager.json');
  const decrypts = (name: string) =>
    allows(manager, {
      action: 'kms:Decrypt',
      resource: 'arn:aws:kms:eu-central-1:111122223333:key/00000000-0000-0000-0000-000000000000',
      context: {
        'kms:ViaService': 'ssm.eu-central-1.amazonaws.com',
        'kms:EncryptionContext:PARAMETER_ARN': `${parameters}${name}`,
      },
    });
  expect(decrypts('/linux/pink/runner_token')).toBe(true);
  expect(decrypts('/linux/purple/runner_token')).toBe(false);
});

test('examples/iam/runner-manager.json permits what the reference module does, without workers', () => {
  const module = read('terraform/iam.tf');
  const statements = [...module.matchAll(/sid\s+= "(\w+)"\s+actions\s+= (\[.*\])/g)].map(
    ([, sid, actions = '']) => ({ Sid: sid, Action: JSON.parse(actions) as string[] }),
  );
  expect(statements).toHaveLength([...module.matchAll(/\bsid\b/g)].length);
  const ofHost = statements.filter(({ Sid }) => !Sid?.endsWith('Workers'));
  expect(readPolicy('examples/iam/runner-manager.json').Statement).toMatchObject(ofHost);
});

describe('a host of the reference module', () => {
  const sources = filesBelow('terraform').filter((path) => !/\/tests\/|\/bootstrap\//.test(path));

  test('needs no AWS managed policy, which would read every parameter of the account', () => {
    const attached = sources.filter((path) =>
      /aws_iam_role_policy_attachment|managed_policy_arns|\biam::aws:policy\b/.test(read(path)),
    );
    expect(attached).toEqual([]);
  });

  test('answers metadata at one hop and with a session only, as do its workers', () => {
    const options = sources.flatMap((path) => [
      ...read(path).matchAll(/metadata_options \{[^}]*\}/g),
    ]);
    expect(options).toHaveLength(2);
    for (const [text] of options) {
      expect(text).toMatch(/http_tokens\s+= "required"/);
      expect(text).toMatch(/http_put_response_hop_limit = 1\n/);
    }
  });

  test('refuses metadata to every Docker network before the runner starts', () => {
    const unit = read('terraform/files/gitlab-runner.service');
    const rule = unit.indexOf('iptables -w -I DOCKER-USER -d 169.254.169.254 -j REJECT');
    expect(rule).toBeGreaterThan(0);
    expect(rule).toBeLessThan(unit.indexOf('\nExecStart='));
  });
});
