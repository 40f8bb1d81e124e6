import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createGitLabClient } from '../../../src/adapters/gitlab/gitlab-client.ts';
import { createGitLabRegistry } from '../../../src/adapters/gitlab/runners/gitlab-registry.ts';
import { registrationMark } from '../../../src/domain/deployment/onboarding.ts';
import type { RegistrationId } from '../../../src/domain/shard.ts';
import type { RunnerRegistry } from '../../../src/ports/registry.ts';
import type { StageContext } from '../../../src/stages/context/context.ts';
import { untilAccepted } from '../../../src/stages/effects/effect-gate.ts';
import { stackShard } from '../../contract/registry-world.ts';
import { stackSettings } from '../../fakes/builders.ts';
import { createGitLabWorld } from '../../sandbox/gitlab/gitlab-world.ts';
import { createTestTransport } from '../../transport/fake-server.ts';
import { createSandboxGitLab, type SandboxGitLab } from '../sandbox-gitlab.ts';

const scope = { kind: 'group', groupId: 10 } as const;
const ownNote = registrationMark('1-100');

describe.each(['17.5', '19.3'] as const)('a pause on GitLab %s', (version) => {
  let gitlab: SandboxGitLab;
  let registry: RunnerRegistry;
  let id: RegistrationId;
  beforeEach(async () => {
    gitlab = createSandboxGitLab(version);
    const { client, clock } = gitlab;
    registry = createGitLabRegistry({ client, scope, pauser: { run: '1-200', clock } });
    await make(ownNote);
  });
  afterEach(() => gitlab.world.close());

  async function make(note: string) {
    const shard = stackShard('pink', 'linux');
    const settings = { ...stackSettings().registration, scope };
    ({ id } = await registry.create({ shard, settings, tags: ['linux'], note }));
  }

  /**
   * Returns the runner after an optional edit by an operator, and a read and a write by
   * hosted-runner.
   */
  async function turn(intake: 'open' | 'closed', edited?: string, meanwhile = async () => {}) {
    if (edited !== undefined)
      await gitlab.client.raw.put(`runners/${id}`, { body: { maintenance_note: edited } });
    await registry.find(id);
    await meanwhile();
    await registry.setIntake(id, intake);
    return read();
  }

  async function read() {
    const found = await registry.find(id);
    return found.kind === 'found' ? found.value : undefined;
  }

  function mark() {
    const at = `${new Date(gitlab.clock.now()).toISOString().slice(0, 19)}Z`;
    return `\n\nhosted-runner-deploy: paused by run 1-200 at ${at}. Do not resume by hand.`;
  }

  test('appears in the runner’s note until the runner is unpaused', async () => {
    expect(await turn('closed')).toMatchObject({ paused: true, note: `${ownNote}${mark()}` });
    expect(await turn('open')).toMatchObject({ paused: false, note: ownNote });
  });

  test('needs one call', async () => {
    await registry.find(id);
    const before = gitlab.sent.length;
    await registry.setIntake(id, 'closed');
    expect(gitlab.sent.slice(before)).toEqual([`PUT /runners/${id}`]);
  });

  test('keeps text that an operator writes into the note before or during the pause', async () => {
    const note = `${ownNote}\r\nask team 🚧 first`;
    const paused = await turn('closed', note);
    expect(paused?.note).toBe(`${note}${mark()}`);
    expect(await turn('open', `${paused?.note}\nroom 12`)).toMatchObject({
      note: `${note}\nroom 12`,
    });
  });

  test('keeps the note of a runner that hosted-runner did not create', async () => {
    await make('of kim');
    expect(await turn('closed')).toMatchObject({ paused: true, note: 'of kim' });
    expect(await turn('open')).toMatchObject({ paused: false, note: 'of kim' });
  });

  test('adds no more characters to the note than GitLab accepts', async () => {
    const note = `${ownNote}${'🚧'.repeat(1024 - ownNote.length - mark().length)}`;
    expect(await turn('closed', note)).toMatchObject({ paused: true, note: `${note}${mark()}` });
    expect(await turn('open')).toMatchObject({ note });
    expect(await turn('closed', `${note}a`)).toMatchObject({ paused: true, note: `${note}a` });
  });

  test('extends the current note if the previous read is old', async () => {
    const edit = async () => {
      await gitlab.clock.sleep(31_000);
      await gitlab.client.raw.put(`runners/${id}`, {
        body: { maintenance_note: `${ownNote} now` },
      });
    };
    expect((await turn('closed', ownNote, edit))?.note).toBe(`${ownNote} now${mark()}`);
  });

  test('keeps the note if the previous read was used, because the note may have changed', async () => {
    const used = () => registry.setIntake(id, 'open');
    expect(await turn('closed', ownNote, used)).toMatchObject({ paused: true, note: ownNote });
  });
});

test.each(['20', '45', '90'])(
  'a pause or reopen that GitLab refuses for %s s changes the note when it is repeated',
  async (seconds) => {
    const world = createGitLabWorld(undefined, 7, { version: '19.3' });
    let refusals = 0;
    const { transport, clock, redactor } = createTestTransport(async (request) => {
      if (request.method !== 'PUT' || refusals === 0) return world.gitlab.fetch(request);
      refusals -= 1;
      const body = JSON.stringify({ message: 'Retry later' });
      return new Response(body, { status: 429, headers: { 'retry-after': seconds } });
    });
    const token = world.deployer;
    const client = createGitLabClient({ url: 'http://127.0.0.1:1', token, transport, redactor });
    const registry = createGitLabRegistry({ client, scope, pauser: { run: '1-200', clock } });
    const settings = { ...stackSettings().registration, scope };
    const shard = stackShard('pink', 'linux');
    const { id } = await registry.create({ shard, settings, tags: ['linux'], note: ownNote });
    const turn = async (intake: 'open' | 'closed') => {
      await registry.find(id);
      refusals = 1;
      const context = { ports: { clock }, log: { wait: () => {} } } as unknown as StageContext;
      await untilAccepted(context, () => registry.setIntake(id, intake));
      const found = await registry.find(id);
      return found.kind === 'found' ? found.value : undefined;
    };
    expect((await turn('closed'))?.note).toContain('paused by run 1-200');
    expect(await turn('open')).toMatchObject({ paused: false, note: ownNote });
    world.close();
  },
);
