import { isPortFailure, PortFailure } from '../../../ports/failure.ts';
import type { Parameter } from '../../../ports/state-store.ts';
import { lacking } from '../aws-client.ts';
import type { Ssm } from '../services.ts';
import { validParameter } from './parameter-answer.ts';

/** The limit of GetParameters. */
const mostNames = 10;

type Find = (name: string) => Promise<Parameter | undefined>;

interface Batch {
  readonly names: Set<string>;
  /** Reads all of `names`. */
  readonly read: Promise<Find>;
}

/**
 * Reads parameters. Names that are requested in one turn of the event loop share a GetParameters
 * call. A single name is read with GetParameter.
 */
export function createParameterReads(ssm: Ssm): Find {
  let open: Batch | undefined;
  /** Set if the role's policy comes from an earlier release and lacks GetParameters. */
  let isDenied = false;

  function openBatch(): Batch {
    const names = new Set<string>();
    const read = new Promise<void>((begin) => {
      setImmediate(begin);
    }).then(() => {
      if (open?.names === names) open = undefined;
      return names.size === 1 || isDenied ? readAlone(names) : readTogether(names);
    });
    return { names, read };
  }

  async function readTogether(names: ReadonlySet<string>): Promise<Find> {
    try {
      return await findSeveral(ssm, [...names]);
    } catch (error) {
      if (!isPortFailure(error)) throw error;
      if (error.kind !== 'denied' && error.kind !== 'refused') return failing(error);
    }
    // AWS refuses the whole call because of one name. A separate read gives each name its own
    // result.
    const alone = readAlone(names);
    const ends = await Promise.allSettled([...names].map(alone));
    isDenied = ends.every(({ status }) => status === 'fulfilled');
    return alone;
  }

  function readAlone(names: ReadonlySet<string>): Find {
    const answers = new Map([...names].map((name) => [name, findParameter(ssm, name)]));
    return async (name) => answers.get(name);
  }

  return async (name) => {
    if (open === undefined || (open.names.size >= mostNames && !open.names.has(name)))
      open = openBatch();
    open.names.add(name);
    const { read } = open;
    try {
      return await (await read)(name);
    } catch (error) {
      if (isPortFailure(error)) throw error;
      // Another caller started the batch and was cancelled.
      return findParameter(ssm, name);
    }
  };
}

/** Returns reads that all fail with the name of the caller's own parameter. */
function failing(error: PortFailure): Find {
  return async (name) => {
    throw new PortFailure({ ...error, source: `SSM GetParameters ${name}`, detail: error.detail });
  };
}

async function findSeveral(ssm: Ssm, names: readonly string[]): Promise<Find> {
  const what = `GetParameters ${names.join(', ')}`;
  const answer = await ssm.send({
    what,
    effect: 'read',
    counts: 'parameters',
    call: (client, options) =>
      client.getParameters({ Names: [...names], WithDecryption: true }, options),
  });
  if (answer.kind === 'refusal') throw new Error('unreachable: no refusal is an answer here');
  const { Parameters: found, InvalidParameters: absent } = answer.value;
  return async (name) => {
    const about = `GetParameters ${name}`;
    const given = found?.filter((one) => one.Name === name) ?? [];
    const isAbsent = absent?.includes(name) === true;
    if (isAbsent && given.length === 0) return undefined;
    if (isAbsent) throw lacking(ssm, about, 'it both as a parameter and as none');
    return validParameter({ what: about, name, given: given[0] });
  };
}

/** @param selector the name, with `:version` for one version */
export async function findParameter(
  ssm: Ssm,
  name: string,
  selector = name,
): Promise<Parameter | undefined> {
  const what = `GetParameter ${selector}`;
  const answer = await ssm.send({
    what,
    effect: 'read',
    counts: 'parameters',
    call: (client, options) =>
      client.getParameter({ Name: selector, WithDecryption: true }, options),
    answers: ['ParameterNotFound', 'ParameterVersionNotFound'],
  });
  if (answer.kind === 'refusal') return undefined;
  return validParameter({ what, name, given: answer.value.Parameter });
}
