/**
 * What the program loads when it is needed, loaded before: jest's loader of modules breaks where many
 * sessions load the same ones at once.
 */
import '../../../src/adapters/aws/access/aws-account.ts';
import '../../../src/adapters/aws/inventory/ec2-instances.ts';
import '../../../src/adapters/aws/inventory/aws-inventory.ts';
import '../../../src/adapters/aws/inventory/auto-scaling-hooks.ts';
import '../../../src/adapters/aws/state-store/parameter-store.ts';
import '../../../src/adapters/aws/hosts/aws-runner-host.ts';
import '../../../src/adapters/aws/services.ts';
import '../../../src/adapters/github/runs/github-pipelines.ts';
import '../../../src/adapters/command/command-infrastructure.ts';
import '../../../src/app/compose/compose-aws.ts';
import '../../../src/adapters/gitlab/gitlab-client.ts';
import '../../../src/adapters/canary/no-canary.ts';
import '../../../src/adapters/gitlab/jobs/gitlab-pipelines.ts';
import '../../../src/adapters/gitlab/runners/gitlab-registry.ts';
import '../../../src/adapters/transport/budget.ts';
import '../../../src/adapters/transport/transport.ts';
