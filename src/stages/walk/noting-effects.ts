import { effectOf } from '../../ports/ports.ts';
import type { StageContext } from './context.ts';

/** The same context, and whether a body that works with it has changed anything, the record included. */
export function notingEffects(context: StageContext): {
  readonly context: StageContext;
  hasActed(): boolean;
} {
  let acted = false;
  const note = () => {
    acted = true;
  };
  const { ports, journal } = context;
  const noted = Object.fromEntries(
    Object.entries(ports).map(([name, port]) => [name, notingPort(name, port as object, note)]),
  );
  return {
    context: {
      ...context,
      ports: noted as unknown as StageContext['ports'],
      journal: {
        ...journal,
        write(record) {
          note();
          return journal.write(record);
        },
      },
    },
    hasActed: () => acted,
  };
}

function notingPort(name: string, port: object, note: () => void): object {
  return new Proxy(port, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property);
      const effect = typeof property === 'string' ? effectOf(name, property) : undefined;
      if (typeof value !== 'function' || (effect !== 'writes' && effect !== 'irreversible'))
        return value;
      return (...args: unknown[]) => {
        note();
        return Reflect.apply(value, target, args);
      };
    },
  });
}
