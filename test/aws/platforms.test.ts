import { expect, test } from '@jest/globals';
import { listManagedHosts } from '../../src/adapters/aws/hosts/hosts.ts';
import { stackShard } from '../contract/runner-host.contract.ts';
import { startFakeSsm } from './fake-ssm.ts';
import { connect } from './sandbox-aws.ts';

const id = 'i-0123456789abcdef0';

// https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_InstanceInformation.html
test.each([
  ['Linux', undefined],
  ['Windows', 'Windows'],
  ['MacOS', 'macOS'],
  [undefined, undefined],
])('a host that Systems Manager calls %s is %s to us', async (PlatformType, platform) => {
  const entry = { InstanceId: id, PingStatus: 'Online', PlatformType };
  const ssm = await startFakeSsm({ body: { InstanceInformationList: [entry] } });
  try {
    const hosts = await listManagedHosts(connect(ssm.url), stackShard('pink', 'linux'));
    expect(hosts).toEqual([{ id, agent: 'online', ...(platform ? { platform } : {}) }]);
  } finally {
    await ssm.close();
  }
});
