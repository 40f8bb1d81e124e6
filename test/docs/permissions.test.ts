import { describe, expect, test } from '@jest/globals';
import { filesBelow, read } from '../structure/tree.ts';
import { allows, readPolicy } from './policy.ts';
import { rowsBelow } from './tables.ts';

const text = read('docs/permissions.md');
const parameters = 'arn:aws:ssm:eu-central-1:111122223333:parameter/gitlab/dedicated/runner';
const hosts = 'arn:aws:ec2:eu-central-1:111122223333:instance/i-0123456789abcdef0';
const deploy = readPolicy('examples/iam/deploy.json');

function sourcesOf(folder: string): string {
  return filesBelow(folder)
    .filter((path) => path.endsWith('.ts'))
    .map(read)
    .join('\n');
}

/** gitbeaker's methods, as the calls that they make. */
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

describe('docs/permissions.md', () => {
  test('names every call to GitLab by a method of its client', () => {
    const used = sourcesOf('src/gitlab').matchAll(/\bclient\.((?!raw|redactor)\w+\.\w+)\(/g);
    const calls = [...used].map(([, method = '']) => methods[method] ?? `unknown: ${method}`);
    expect(calls.filter((call) => !text.includes(`\`${call}\``))).toEqual([]);
  });

  test('names every path of GitLab that is asked for by itself', () => {
    const literals = sourcesOf('src/gitlab').matchAll(
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

  test('names exactly the actions of AWS that are used', () => {
    const used = sourcesOf('src/aws').matchAll(/\bclient\.(\w+)\(/g);
    const actions = new Set(
      [...used]
        .filter(([, name = '']) => /Parameter|Command|InstanceInformation/.test(name))
        .map(([, name = '']) => `ssm:${name.charAt(0).toUpperCase()}${name.slice(1)}`),
    );
    const told = rowsBelow(text, '| action | stages | why |')
      .flatMap(([cell = '']) => cell.split(', '))
      .map((action) => action.replaceAll('`', ''))
      .filter((action) => action.startsWith('ssm:'));
    expect(told.sort()).toEqual([...actions].sort());
  });
});

describe('examples/iam/deploy.json', () => {
  test('allows the actions of the table and nothing else', () => {
    const told = [...text.matchAll(/`(ssm:[A-Z]\w+)`/g)].map(([, action]) => action);
    const given = deploy.Statement.flatMap(({ Action }) => Action);
    expect([...new Set(given)].sort()).toEqual([...new Set(told)].sort());
  });

  test.each(['deployment_status', 'deployment_record', 'deployment_lock', 'deployment_hold'])(
    'allows to read, write and delete %s of its stack only',
    (name) => {
      for (const action of ['GetParameter', 'PutParameter', 'DeleteParameter']) {
        const on = (stack: string) => ({
          action: `ssm:${action}`,
          resource: `${parameters}/${stack}/${name}`,
        });
        expect(allows(deploy, on('linux'))).toBe(true);
        expect(allows(deploy, on('linux-large'))).toBe(false);
        expect(allows(deploy, on('linux/other'))).toBe(false);
      }
    },
  );

  test.each(['pink', 'purple'])('allows to send commands to the hosts of %s', (shard) => {
    const tags = { 'ssm:resourceTag/Name': `${shard}-linux_runner-manager` };
    expect(allows(deploy, { action: 'ssm:SendCommand', resource: hosts, tags })).toBe(true);
  });

  test.each(['pink-linux-large_runner-manager', 'database', undefined])(
    'refuses to send commands to a host with the name %s',
    (name) => {
      const tags = name === undefined ? {} : { 'ssm:resourceTag/Name': name };
      expect(allows(deploy, { action: 'ssm:SendCommand', resource: hosts, tags })).toBe(false);
    },
  );

  test('refuses every other document', () => {
    const resource = 'arn:aws:ssm:eu-central-1::document/AWS-RunPowerShellScript';
    expect(allows(deploy, { action: 'ssm:SendCommand', resource })).toBe(false);
  });
});

test('examples/iam/status.json reads no token and writes nothing', () => {
  const status = readPolicy('examples/iam/status.json');
  const record = `${parameters}/linux/deployment_record`;
  expect(allows(status, { action: 'ssm:GetParameter', resource: record })).toBe(true);
  expect(allows(status, { action: 'ssm:PutParameter', resource: record })).toBe(false);
  const token = `${parameters}/linux/pink/runner_token`;
  expect(allows(status, { action: 'ssm:GetParameter', resource: token })).toBe(false);
});

test('examples/iam/runner-manager.json reads the token of its own shard only', () => {
  const manager = readPolicy('examples/iam/runner-manager.json');
  const read = (shard: string) =>
    allows(manager, {
      action: 'ssm:GetParameter',
      resource: `${parameters}/linux/${shard}/runner_token`,
    });
  expect([read('pink'), read('purple')]).toEqual([true, false]);
});
