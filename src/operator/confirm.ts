import { shardEntry } from '../domain/record.ts';
import type { Shard } from '../domain/shard.ts';
import { notConfirmed } from '../errors/takeover.ts';
import type { StageContext } from '../stages/context.ts';
import { listHosts } from '../stages/observe.ts';

/** Puts a question to the person at the terminal. */
export type Ask = (question: string) => Promise<string>;

/** Shows what is about to be removed, and wants the shard typed. */
export async function confirmShard(context: StageContext, shard: Shard, ask: Ask): Promise<void> {
  const { settings, journal, log } = context;
  const { registration } = shardEntry(journal.current(), shard);
  const hosts = await listHosts(context, shard);
  log.act(`Stack ${settings.runnerName}, shard ${shard}, runner ${registration ?? '(none)'}`);
  log.act(
    `Hosts: ${'unknown' in hosts ? hosts.unknown : hosts.map(({ id }) => id).join(', ') || 'none'}`,
  );
  const answer = await ask(`Type ${shard} to remove it: `);
  if (answer.trim() !== shard) throw notConfirmed(shard);
}
