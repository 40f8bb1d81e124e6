import type { Sandbox } from '../../../../sandbox/sandbox.ts';
import type { World } from './world.ts';

/** What a finished deployment has left behind that it must not (O1 to O10 of src/verify/judge.ts). */
export function whatIsWrongAtRest(
  { sandbox }: Pick<World, 'sandbox'>,
  built = builtIn(sandbox),
): string[] {
  const { gitlab, fleet } = sandbox;
  const parameters = readParameters(sandbox);
  const active = activeShard(parameters);
  const machines = fleet.list().filter(({ state }) => state !== 'terminated');
  const problems: string[] = [];
  const expect = (what: string, found: unknown, wanted: unknown) => {
    const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)];
    if (one !== other) problems.push(`${what}: ${one} and not ${other}`);
  };
  expect('infrastructure', built, [`linux/${active}`]);
  expect(
    'machines',
    machines.map(({ shard, state }) => `${shard} ${state}`),
    [`${active} running`],
  );
  expect(
    'processes',
    machines.map(({ id }) => fleet.machine(id)?.unit?.isRunning),
    [true],
  );
  expect(
    'registrations',
    gitlab
      .runners()
      .map(({ description, paused, tags }) => `${description} ${paused} ${tags.join()}`),
    [`${active}-linux false linux`],
  );
  // GitLab goes on listing a manager whose instance a killed apply had built and lost; it has no host.
  const hosts = new Set(
    fleet.list().flatMap(({ state, systemId }) => (state === 'terminated' ? [] : [systemId])),
  );
  expect(
    'managers',
    gitlab
      .runners()
      .map(({ managers }) => managers.filter(({ systemId }) => hosts.has(systemId)))
      .map(({ length }) => length),
    [1],
  );
  expect(
    'parameters',
    Object.keys(parameters).sort(),
    [`${active}/runner_token`, 'deployment_record', 'deployment_status'].sort(),
  );
  expect('phase', JSON.parse(parameters['deployment_record'] ?? '{}').deployment?.phase, 'done');
  const canaries = gitlab.jobs().filter(({ name }) => name.includes('canary'));
  expect(
    'canaries that live',
    canaries
      .filter(({ status, deletedAt }) => isAlive(status) && deletedAt === null)
      .map(({ id }) => id),
    [],
  );
  return problems;
}

function builtIn({ stacks }: Sandbox): string[] {
  return Object.entries(stacks.list()).flatMap(([name, resources]) =>
    resources.length > 0 ? [name] : [],
  );
}

function isAlive(status: string): boolean {
  return ['pending', 'running', 'canceling'].includes(status);
}

function activeShard(parameters: Record<string, string>): string {
  return JSON.parse(parameters['deployment_status'] ?? '{}').active_shard;
}

const prefix = '/gitlab/dedicated/runner/linux/';

/** The lock is there as long as somebody has it; its name is never deleted. */
export function readParameters({
  parameters,
}: Pick<Sandbox, 'parameters'>): Record<string, string> {
  return Object.fromEntries(
    held(parameters).map((one) => [one.parameter.name.replace(prefix, ''), one.value()]),
  );
}

function held(parameters: Sandbox['parameters']) {
  return parameters.list().filter((one) => {
    // What a removed shard leaves where its token stood.
    if (one.value() === '(none: retired)') return false;
    // What a release leaves: no hold.
    if (one.value().startsWith('{"released":')) return false;
    if (!one.parameter.name.endsWith('/deployment_lock')) return true;
    const { entry } = JSON.parse(one.value()) as { entry?: string };
    return entry !== 'release';
  });
}

/**
 * Everything that an effect could have changed, to be compared before and after. What time alone
 * changes is left out.
 */
export function everything({ sandbox }: World): unknown {
  const { gitlab, fleet, stacks, parameters } = sandbox;
  return structuredClone({
    parameters: held(parameters).map((one) => [one.parameter.name, one.version, one.value()]),
    runners: gitlab.runners().map(({ managers, ...runner }) => ({
      ...runner,
      managers: managers.map(({ id }) => id),
    })),
    jobs: gitlab.jobs().map(({ id, status, runnerId }) => ({ id, status, runnerId })),
    stacks: stacks.list(),
    instances: fleet.list().map(({ id, state, shard }) => ({
      id,
      state,
      shard,
      pid: fleet.machine(id)?.unit?.pid,
    })),
  });
}
