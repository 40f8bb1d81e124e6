import { wrapMethods } from '../../ports/ports.ts';
import type { StageContext } from '../context/context.ts';
import { changingWrites } from '../record/journal.ts';

/** The same context, and whether a body that works with it has changed anything, the record included. */
export function trackChanges(context: StageContext): {
  readonly context: StageContext;
  hasActed(): boolean;
} {
  let acted = false;
  const note = () => {
    acted = true;
  };
  const { ports, journal } = context;
  return {
    context: {
      ...context,
      ports: wrapMethods(ports, (ask, { effect }) => {
        if (effect !== 'writes' && effect !== 'irreversible') return ask;
        return (...args) => {
          note();
          return ask(...args);
        };
      }),
      journal: changingWrites(journal, (record) => {
        note();
        return record;
      }),
    },
    hasActed: () => acted,
  };
}
