import { shardEntry } from '../domain/deployment/record.ts';
import type { Shard } from '../domain/shard.ts';
import type { CommandToType } from '../domain/text/line-to-type.ts';
import { notConfirmed } from '../errors/takeover-errors.ts';
import { isPortFailure } from '../ports/failure.ts';
import { type StageContext, wordsOf } from '../stages/context/context.ts';

/** Puts a question to the person at the terminal. */
export type QuestionPrompt = (question: string) => Promise<string>;

/** How somebody agrees: beforehand with `--yes`, by typing, or not at all where nobody is there. */
export type Consent =
  | { readonly kind: 'given' }
  | {
      readonly kind: 'asked';
      readonly ask: QuestionPrompt;
      /** What was agreed to; nobody is asked the same twice. */
      readonly agreed: Set<string>;
    }
  | { readonly kind: 'nobody' };

export function consentOf(yes: boolean, ask: QuestionPrompt | undefined): Consent {
  if (yes) return { kind: 'given' };
  return ask === undefined ? { kind: 'nobody' } : { kind: 'asked', ask, agreed: new Set() };
}

/** Shows account, stack, shard and what is touched, and wants the shard typed. */
export async function confirmShard(
  context: StageContext,
  shard: Shard,
  {
    consent,
    act,
    command,
    touches,
    after,
  }: {
    consent: Consent;
    /** What is done to it. */
    act: string;
    command: CommandToType;
    touches: string;
    /** What the same command goes on with, where that is more. */
    after?: string;
  },
): Promise<void> {
  const plan = `${act} ${shard}: ${touches}`;
  if (consent.kind === 'asked' && consent.agreed.has(plan)) return;
  const { settings, journal, log } = context;
  const { registration } = shardEntry(journal.current(), shard);
  log.act(`Account ${await accountOf(context)}`);
  log.act(
    `Stack ${settings.runnerName}, shard ${shard}, ${wordsOf(context).registration} ${registration ?? '(none)'}`,
  );
  log.act(`Touches ${touches}`);
  if (after !== undefined) log.act(`Then ${after}`);
  if (consent.kind === 'given') return;
  if (consent.kind === 'nobody') throw notConfirmed({ what: shard, command });
  const typed = (await consent.ask(`Type ${shard} to go on: `)).trim();
  if (typed !== shard) throw notConfirmed({ what: shard, command, typed });
  consent.agreed.add(plan);
}

async function accountOf({ ports }: StageContext): Promise<string> {
  try {
    const { account, region } = await ports.account.readIdentity();
    return `${account} in ${region}`;
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return `not known: ${error.message}`;
  }
}
