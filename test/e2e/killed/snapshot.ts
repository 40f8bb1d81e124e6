import type { World } from '../by-hand/world/world.ts';

/** Remembers the world before a stage. */
export function remember({ sandbox }: World): { putBack(): boolean } {
  const { parameters, stacks } = sandbox;
  const values = new Map(parameters.list().map((one) => [one.parameter.name, one.value()]));
  const built = JSON.stringify(stacks.list());
  return {
    /**
     * Restores Parameter Store if nothing was built meanwhile, and returns whether it did. Only the
     * versions show the restore.
     */
    putBack() {
      if (JSON.stringify(stacks.list()) !== built) return false;
      for (const { parameter, value } of parameters.list()) {
        const { name } = parameter;
        const wanted = values.get(name);
        if (wanted === undefined) parameters.remove(name);
        else if (wanted !== value()) parameters.put({ name, value: wanted, overwrite: true });
      }
      return true;
    },
  };
}
