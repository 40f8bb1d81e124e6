import { registryContract } from '../contract/registry.contract.ts';
import { createRegistryWorld } from './sandbox-gitlab.ts';

registryContract('GitLab over the sandbox', createRegistryWorld);
