import type { InstanceInformation } from '@aws-sdk/client-ssm';
import { managerHostName, type StackShard } from '../../../domain/shard.ts';
import type { Host } from '../../../ports/runner-host.ts';
import { lacking } from '../aws-client.ts';
import { readAwsPages } from '../pages.ts';
import type { Ssm } from '../services.ts';

/** Lists the shard's hosts from Systems Manager, which does not list terminated instances. */
export async function listManagedHosts(ssm: Ssm, shard: StackShard): Promise<readonly Host[]> {
  const name = managerHostName(shard);
  const what = `DescribeInstanceInformation tag:Name=${name}`;
  const hosts = new Map<string, Host>();
  const pages = readAwsPages({
    service: ssm,
    what,
    call: (client, token, options) =>
      client.describeInstanceInformation(
        { Filters: [{ Key: 'tag:Name', Values: [name] }], MaxResults: 50, ...token },
        options,
      ),
  });
  for await (const page of pages) {
    if (page.InstanceInformationList === undefined)
      throw lacking(ssm, what, 'no InstanceInformationList');
    for (const information of page.InstanceInformationList) {
      const host = validHost(ssm, what, information);
      hosts.set(host.id, host);
    }
  }
  return [...hosts.values()];
}

const hostIdPattern = /^(?:i-[0-9a-f]{8,17}|mi-[0-9a-f]{17})$/;

export function isHostId(text: string): boolean {
  return hostIdPattern.test(text);
}

const platforms: Readonly<Record<string, Host['platform']>> = {
  Windows: 'Windows',
  MacOS: 'macOS',
};

function validHost(ssm: Ssm, what: string, information: InstanceInformation): Host {
  const { InstanceId: id, PingStatus: ping, LastPingDateTime: lastPing } = information;
  if (id === undefined || !isHostId(id)) throw lacking(ssm, what, 'no InstanceId in an entry');
  const platform = platforms[information.PlatformType ?? ''];
  return {
    id,
    ...(platform === undefined ? {} : { platform }),
    // Every other value counts as lost: ConnectionLost, Inactive and future ones.
    agent: ping === 'Online' ? 'online' : 'lost',
    ...(lastPing instanceof Date && !Number.isNaN(lastPing.getTime())
      ? { lastPingAt: lastPing.toISOString() }
      : {}),
  };
}
