import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { GitHubScope } from '../../../src/domain/settings.ts';
import { loadStack } from '../../config/loading.ts';
import { stackShard } from '../../contract/registry-world.ts';
import { root } from '../../support/program.ts';
import { createSandboxGitHub, registryOf, type SandboxGitHub } from '../sandbox-github.ts';

const example = readFileSync(join(root, 'examples/github-runners/hosted-runners.yml'), 'utf8');
let sandbox: SandboxGitHub;
beforeEach(async () => {
  sandbox = await createSandboxGitHub();
});
afterEach(() => sandbox.close());

describe.each<[string, string, GitHubScope]>([
  [
    'organization: acme',
    '/orgs/acme/actions/runners',
    { kind: 'organization', organization: 'acme' },
  ],
  [
    'repository: acme/app',
    '/repos/acme/app/actions/runners',
    { kind: 'repository', owner: 'acme', repository: 'app' },
  ],
  [
    'enterprise: acme',
    '/enterprises/acme/actions/runners',
    { kind: 'enterprise', enterprise: 'acme' },
  ],
])('runners of %s', (line, path, expected) => {
  async function registry() {
    const text = example.replace('organization: acme', line);
    const { github } = await loadStack({ text }, 'linux-large');
    expect(github?.scope).toEqual(expected);
    return registryOf(sandbox, github === undefined ? {} : { scope: github.scope });
  }

  test('receive their labels and are removed in their scope', async () => {
    const runners = await registry();
    const { id, token } = await runners.create({
      shard: stackShard('pink', 'linux'),
      settings: {} as never,
      tags: ['canary-1-2-linux'],
      note: '',
    });
    const name = `${id}-i-0123456789abcdef0`;
    sandbox.github.runnerSide.register({ token, name, labels: ['canary-1-2-linux'] });
    await runners.route(id, { tags: ['linux'], runUntagged: false });
    expect(sandbox.github.runners()).toMatchObject([{ name, labels: ['linux'] }]);
    const removed = await runners.retireWorkers(
      id,
      sandbox.github.runners().map((one) => one.id),
    );
    expect(removed.map(({ outcome }) => outcome)).toEqual(['removed']);
    expect(new Set(sandbox.sent.map((call) => call.split(' ')[1]?.slice(0, path.length)))).toEqual(
      new Set([path]),
    );
  });

  test('undergo the probe in their scope, and a refusal names it', async () => {
    const runners = await registry();
    const granted = await runners.probe({ kind: 'instance' });
    const inGroup = path.startsWith('/repos/') ? [] : ['not_probed'];
    expect(granted.map(({ outcome }) => outcome)).toEqual([...inGroup, 'granted', 'granted']);
    sandbox.faults.add({
      id: 'refused',
      service: 'github',
      match: { method: 'POST' },
      effect: { kind: 'status', status: 403 },
    });
    const refused = (await runners.probe({ kind: 'instance' })).at(-1);
    expect(refused).toMatchObject({
      outcome: 'missing',
      what: `register and remove runners of ${line.replace(':', '')}`,
    });
  });
});
