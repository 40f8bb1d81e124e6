import type { Shard } from '../../../domain/shard.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import { type StageContext, wordsOf } from '../../context/context.ts';
import { inParallel } from '../../context/parallel.ts';

/**
 * Warns before a deployment of runners without a metrics listener, which cannot list their jobs.
 * gitlab-runner opens one only with a configured address, which it reads at its start. The warning
 * contains the missing line.
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
    log.warn(
      `It is unknown whether the runners of ${shard} have metrics endpoints: ${error.message}.`,
    );
  }
}

function warnOfMissing(context: StageContext, shard: Shard, ids: readonly string[]): string {
  const { listenPort, process } = context.settings.host;
  const address = `127.0.0.1:${listenPort}`;
  const { registry } = wordsOf(context);
  const cause =
    process.kind === 'docker'
      ? 'the default of gitlab-runner, and of a container without a published port'
      : 'the default of gitlab-runner';
  // In a container with a separate network, the loopback address is not the host's.
  const bridged =
    process.kind === 'docker'
      ? `, in a container with --network host; in any other network: listen_address = ":${listenPort}", and --publish ${address}:${listenPort}`
      : '';
  return `The runner on ${ids.join(', ')} has no metrics endpoint: ${address} refuses the connection (${cause}). Its host cannot report that no job is left, so the drain of ${shard} relies on ${registry} alone. For the next shard, add above the first [[runners]] of config.toml: listen_address = "${address}"${bridged}`;
}
