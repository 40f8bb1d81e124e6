import {
  isBuilt,
  type Phase,
  type StepName,
  steps,
} from '../../src/domain/deployment/stages-and-steps.ts';
import type { ProtocolState, Role, ShardState } from './state.ts';

/** One effect on the world or one write of the record: between two of them a run can die. */
export type Effect =
  | { readonly kind: 'write'; readonly phase: Phase }
  | {
      readonly kind: 'shard';
      readonly role: Role;
      readonly what: string;
      readonly change: Partial<ShardState>;
    }
  | { readonly kind: 'switch' }
  /** Goes on only where this holds; otherwise the run ends here, to be resumed. */
  | {
      readonly kind: 'wait';
      readonly what: string;
      readonly until: (state: ProtocolState) => boolean;
    }
  /** Evidence: it may turn out either way. */
  | { readonly kind: 'verdict'; readonly unhealthy: readonly Effect[] };

const write = (phase: Phase): Effect => ({ kind: 'write', phase });
const on = (role: Role, what: string, change: Partial<ShardState>): Effect => ({
  kind: 'shard',
  role,
  what,
  change,
});

const idle = (role: Role): Effect => ({
  kind: 'wait',
  what: `no job is left on the ${role}`,
  until: (state) => state[role].jobs === 'none' && state[role].intake === 'closed',
});

/** What a step does, in its order; one that is not here changes nothing but the record. */
export function effectsOf(step: StepName, state: ProtocolState): readonly Effect[] {
  const writes: readonly Phase[] = steps.find(({ name }) => name === step)?.writes ?? [];
  return ownEffects[step]?.(state) ?? writes.map(write);
}

/** A test holds the writes against the table of steps. */
const ownEffects: Readonly<Partial<Record<StepName, (state: ProtocolState) => readonly Effect[]>>> =
  {
    onboard: ({ phase }) => [
      on('candidate', 'register in quarantine', { tags: 'quarantine', intake: 'open' }),
      ...(phase === 'prepared' ? [write('onboarded')] : []),
    ],
    apply: ({ candidate, phase }) =>
      candidate.built === 'yes' && phase !== 'none' && isBuilt(phase)
        ? []
        : [
            write('applying'),
            on('candidate', 'build in part', { built: 'partly' }),
            on('candidate', 'build', { built: 'yes', process: 'runs' }),
            write('applied'),
          ],
    healthcheck: () => [{ kind: 'verdict', unhealthy: [] }, write('healthy')],
    promote: promoteEffects,
    drain: () => [
      { kind: 'wait', what: 'the candidate serves', until: ({ candidate }) => isOpen(candidate) },
      write('draining'),
      on('retiring', 'close the intake', { intake: 'closed' }),
      idle('retiring'),
      write('drained'),
    ],
    stop: () => [idle('retiring'), on('retiring', 'end the process', { process: 'ended' })],
    deregister: ({ retiring }) =>
      retiring.tags === 'none'
        ? []
        : [
            on('retiring', 'close the intake', { intake: 'closed' }),
            idle('retiring'),
            write('destroying'),
            on('retiring', 'remove the registration', { tags: 'none' }),
          ],
    destroy: () => [on('retiring', 'destroy', { built: 'no', process: 'ended' })],
    finish: () => [write('done')],
  };

/** What is already so is not written again. */
function promoteEffects(state: ProtocolState): readonly Effect[] {
  const tagged = on('candidate', 'give the production tags', { tags: 'production' });
  const opened = on('candidate', 'open the intake', { intake: 'open' });
  const finishing: readonly Effect[] = [tagged, opened, write('promoted')];
  if (state.phase === 'promoting' && state.status === 'candidate') return finishing;
  const switching: readonly Effect[] = [tagged, opened, { kind: 'switch' }, ...finishing];
  if (state.phase !== 'promoting') return [write('promoting'), ...switching];
  // In doubt, customers are kept from it while another shard is there to take them.
  const { built, process } = state.candidate;
  const hasEnded = built === 'yes' && process === 'ended';
  const inDoubt = isOpen(state.retiring) && built === 'yes' && (hasEnded || !isRollback(state));
  return [
    ...(inDoubt ? [on('candidate', 'back to quarantine', { tags: 'quarantine' })] : []),
    ...(hasEnded ? [on('candidate', 'start the process', { process: 'runs' })] : []),
    { kind: 'verdict', unhealthy: removal },
    ...switching,
  ];
}

/** A rollback begins with a candidate that has production tags already, and is closed. */
function isRollback({ candidate }: ProtocolState): boolean {
  return candidate.intake === 'closed';
}

/** The way back: of a retreat, and of a candidate that is cleaned up. */
export const removal: readonly Effect[] = [
  write('retreating'),
  on('candidate', 'back to quarantine', { tags: 'quarantine' }),
  on('candidate', 'close the intake', { intake: 'closed' }),
  idle('candidate'),
  on('candidate', 'end the process', { process: 'ended' }),
  on('candidate', 'remove the registration', { tags: 'none', intake: 'open' }),
  on('candidate', 'destroy', { built: 'no' }),
  write('prepared'),
];

function isOpen({ tags, intake }: ShardState): boolean {
  return tags === 'production' && intake === 'open';
}
