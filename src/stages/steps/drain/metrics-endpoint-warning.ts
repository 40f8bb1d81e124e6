import type { Shard } from '../../../domain/shard.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import { type StageContext, wordsOf } from '../../context/context.ts';
import { inParallel } from '../../context/parallel.ts';

/**
 * gitlab-runner has no listener unless it is given an address, and reads that at its start only. Without one
 * a host has no list of its jobs: it is told before a deployment begins, with the line that is missing.
 */
export async function warnOfMissingMetricsEndpoint(
  context: StageContext,
  shard: Shard,
): Promise<void> {
  const { ports, settings, log } = context;
  if (settings.host.access === 'none') return;
  try {
    const hosts = await ports.host.list({ runnerName: settings.runnerName, shard });
    const online = hosts.filter(({ agent }) => agent === 'online');
    const off = await inParallel(online, async ({ id }) => {
      const report = await ports.host.look(id);
      const isOff = report.kind === 'report' && report.process === 'running' && report.listener;
      return isOff === 'off' ? id : undefined;
    });
    const ids = off.filter((id) => id !== undefined);
    if (ids.length > 0) log.warn(warnOfMissing(context, shard, ids));
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    log.warn(`Whether the runners of ${shard} have listeners is not known: ${error.message}.`);
  }
}

function warnOfMissing(context: StageContext, shard: Shard, ids: readonly string[]): string {
  const { listenPort, process } = context.settings.host;
  const address = `127.0.0.1:${listenPort}`;
  const { registry } = wordsOf(context);
  const cause =
    process.kind === 'docker'
      ? "which is gitlab-runner's default, and that of a container whose port is not published"
      : "which is gitlab-runner's default";
  // Within a network of its own the container's loopback is another one than its host's.
  const bridged =
    process.kind === 'docker'
      ? `, in a container with --network host; in any other network: listen_address = ":${listenPort}", and --publish ${address}:${listenPort}`
      : '';
  return `The runner on ${ids.join(', ')} has no listener: ${address} refuses the connection, ${cause}. Its host cannot say that no job is left, and the drain of ${shard} will rest on ${registry}'s word alone. For the next shard, add above the first [[runners]] of config.toml: listen_address = "${address}"${bridged}`;
}
