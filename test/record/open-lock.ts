import { takeLock } from '../../src/stages/record/lock/lock.ts';
import { entryOfThief, lockHolder } from '../fakes/world/lock-holder.ts';
import { lockName, openStore, quietLog } from './parameter-store.ts';

/** Opens a store in which a run can take the lock. */
export function openLock() {
  const store = openStore();
  const log = quietLog();
  const { ports, run, stack } = store.incarnation;
  const take = (byHand = false, given = ports) =>
    store.settle(
      takeLock({
        ports: given,
        uncancelled: ports,
        parameter: lockName,
        runner: 'linux',
        stage: 'provision',
        run,
        byHand,
        log,
      }),
    );
  return {
    ...store,
    log,
    take,
    entries: () =>
      (store.world.parameters[lockName]?.versions ?? []).map(
        ({ value }) => (JSON.parse(value) as { entry: string }).entry,
      ),
    holder: () => lockHolder(store.world, stack),
    /** Writes the next entry of the log as another run. */
    steal: () => {
      const thief = { deployment: '1-666', job: '6666', since: 'lately', process: 'thief' };
      store.write(lockName, entryOfThief(store.world, stack, thief));
    },
  };
}

/** Entry of another run in the older format. */
export const foreignEntry = JSON.stringify({
  deployment: '1-100',
  job: '6001',
  since: '2026-11-02T07:00:00.000Z',
  process: 'elsewhere',
  nonce: 'theirs',
});
