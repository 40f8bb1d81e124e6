import { createOnceFree, nameHeld } from '../record/create-parameter.ts';
import type { StageContext } from '../walk/context.ts';

/** A shard that was just removed leaves a name that AWS does not give out again for 30 s. */
export async function writeToken(
  { ports, log }: StageContext,
  name: string,
  token: string,
): Promise<void> {
  const parameter = { name, value: token, secret: true };
  const version = await createOnceFree(ports, parameter, () =>
    log.wait(nameHeld('the deleted token')),
  );
  if (version === undefined) await ports.parameters.overwrite(parameter);
}
