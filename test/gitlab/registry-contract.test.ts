import { registryContract } from '../contract/registry.contract.ts';
import { registryRemovalContract } from '../contract/registry-removal.contract.ts';
import { createRegistryWorld } from './sandbox-gitlab.ts';

registryContract('GitLab over the sandbox', createRegistryWorld);
registryRemovalContract('GitLab over the sandbox', createRegistryWorld);
