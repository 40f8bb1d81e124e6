import { registryContract } from '../../contract/registry.contract.ts';
import { registryRemovalContract } from '../../contract/registry-removal.contract.ts';
import { registryWaitingContract } from '../../contract/registry-waiting.contract.ts';
import { createRegistryWorld } from '../sandbox-gitlab.ts';

for (const version of ['17.5', '18.7', '19.3'] as const) {
  const create = () => createRegistryWorld(version);
  registryContract(`GitLab ${version} over the sandbox`, create);
  registryRemovalContract(`GitLab ${version} over the sandbox`, create);
  registryWaitingContract(`GitLab ${version} over the sandbox`, create);
}
