import type { Sandbox } from '../../../../sandbox/sandbox.ts';
import type { World } from './world.ts';

/** Lists leftovers that a finished deployment must not have (O1 to O10 of src/verify/judge.ts). */
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
  // GitLab still lists managers of instances that a killed apply created and lost. They have no
  // host.
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

/**
 * Returns the parameters. The lock counts only while a run holds it, because its name is never
 * deleted.
 */
export function readParameters({
  parameters,
}: Pick<Sandbox, 'parameters'>): Record<string, string> {
  return Object.fromEntries(
    held(parameters).map((one) => [one.parameter.name.replace(prefix, ''), one.value()]),
  );
}

function held(parameters: Sandbox['parameters']) {
  return parameters.list().filter((one) => {
    // A removed shard leaves this text in place of its token.
    if (one.value() === '(none: retired)') return false;
    // A release leaves this text, which is no hold.
    if (one.value().startsWith('{"released":')) return false;
    if (!one.parameter.name.endsWith('/deployment_lock')) return true;
    const { entry } = JSON.parse(one.value()) as { entry?: string };
    return entry !== 'release';
  });
}

/** Copies everything that an effect could change, without values that change with time alone. */
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
