import type { pink } from '../../fakes/builders.ts';
import { terminateHost } from '../../fakes/hosts/hosts.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { hostsOf, listAcceptingShards, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { asTyped } from '../../support/typing.ts';
import { examine, stackOf, type } from './examine.ts';

export const rollback = 'hosted-runner rollback --runner linux';
export const finalize = 'hosted-runner finalize --runner linux';
export const takenAway = [
  'hosted-runner recover --runner linux --although-nothing-serves --yes',
  'hosted-runner deploy --runner linux',
];
export const activate = (shard: string) => `hosted-runner activate --runner linux --shard ${shard}`;

/** Returns doctor's first finding with its commands. */
export async function readFinding(world: World) {
  const [found] = (await examine(world)).findings;
  return { code: found?.code, commands: asTyped(found?.commands ?? []), byHand: found?.byHand };
}

/** Types doctor's first command. Returns how it ends and which shards accept jobs afterwards. */
export async function help(world: World) {
  const { commands } = await readFinding(world);
  const ending = await type(world, commands[0] ?? 'nothing');
  return {
    kind: ending.kind === 'error' ? ending.error.code : ending.kind,
    accepting: listAcceptingShards(world, stackOf(world)),
  };
}

export function end(world: World, shard: typeof pink): void {
  for (const host of hostsOf(world, stackOf(world), shard)) terminateHost(world, host, 'world');
  absorb(world);
}

export function pause(world: World, shard: typeof pink): void {
  for (const one of registrationsOf(world, stackOf(world), shard)) one.paused = true;
  absorb(world);
}
