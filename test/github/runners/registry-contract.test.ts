import { registryContract } from '../../contract/registry.contract.ts';
import { registryRemovalContract } from '../../contract/registry-removal.contract.ts';
import { registryWaitingContract } from '../../contract/registry-waiting.contract.ts';
import { createRegistryWorld } from '../sandbox-github.ts';

registryContract('GitHub over the sandbox', createRegistryWorld);
registryRemovalContract('GitHub over the sandbox', createRegistryWorld);
registryWaitingContract('GitHub over the sandbox', createRegistryWorld, { lists: false });
