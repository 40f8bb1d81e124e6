/**
 * What the program loads when it is needed, loaded before: jest's loader of modules breaks where many
 * sessions load the same ones at once.
 */
import '../../../src/adapters/aws/access/account.ts';
import '../../../src/adapters/aws/inventory/instances.ts';
import '../../../src/adapters/aws/inventory/inventory.ts';
import '../../../src/adapters/aws/inventory/lifecycle-hooks.ts';
import '../../../src/adapters/aws/state-store/state-store.ts';
import '../../../src/adapters/aws/hosts/runner-host.ts';
import '../../../src/adapters/aws/services.ts';
import '../../../src/adapters/github/runs/pipelines.ts';
import '../../../src/adapters/command/infrastructure.ts';
import '../../../src/app/compose/compose-aws.ts';
import '../../../src/adapters/gitlab/client.ts';
import '../../../src/adapters/canary/no-canary.ts';
import '../../../src/adapters/gitlab/jobs/pipelines.ts';
import '../../../src/adapters/gitlab/runners/registry.ts';
import '../../../src/adapters/transport/budget.ts';
import '../../../src/adapters/transport/transport.ts';
