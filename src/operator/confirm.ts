import { shardEntry } from '../domain/deployment/record.ts';
import type { Shard } from '../domain/shard.ts';
import type { CommandToType } from '../domain/text/line-to-type.ts';
import { notConfirmed } from '../errors/takeover-errors.ts';
import { isPortFailure } from '../ports/failure.ts';
import { type StageContext, wordsOf } from '../stages/context/context.ts';

/** Shows a question to the operator at the terminal and returns the answer. */
export type QuestionPrompt = (question: string) => Promise<string>;

/** Consent of the operator: given with `--yes`, typed when prompted, or impossible. */
export type Consent =
  | { readonly kind: 'given' }
  | {
      readonly kind: 'asked';
      readonly prompt: QuestionPrompt;
      /** Texts that were confirmed; no text is confirmed twice. */
      readonly agreed: Set<string>;
    }
  | { readonly kind: 'nobody' };

export function consentOf(yes: boolean, prompt: QuestionPrompt | undefined): Consent {
  if (yes) return { kind: 'given' };
  return prompt === undefined ? { kind: 'nobody' } : { kind: 'asked', prompt, agreed: new Set() };
}

/** Shows account, stack, shard and affected resources; the operator must type the shard. */
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
    /** Description of the action. */
    act: string;
    command: CommandToType;
    touches: string;
    /** Further actions of the same command. */
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
  log.act(`Affects ${touches}`);
  if (after !== undefined) log.act(`Then ${after}`);
  if (consent.kind === 'given') return;
  if (consent.kind === 'nobody') throw notConfirmed({ shard, command });
  const typed = (await consent.prompt(`Type ${shard} to continue: `)).trim();
  if (typed !== shard) throw notConfirmed({ shard, command, typed });
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
