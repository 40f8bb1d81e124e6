/**
 * What the program loads when it is needed, loaded before: jest's loader of modules breaks where many
 * sessions load the same ones at once.
 */
import '../../../src/aws/account.ts';
import '../../../src/aws/few/auto-scaling.ts';
import '../../../src/aws/few/ec2.ts';
import '../../../src/aws/few/tagging.ts';
import '../../../src/aws/instances.ts';
import '../../../src/aws/inventory.ts';
import '../../../src/aws/lifecycle-hooks.ts';
import '../../../src/aws/parameters.ts';
import '../../../src/aws/runner-host.ts';
import '../../../src/aws/ssm.ts';
import '../../../src/ci/github-pipelines.ts';
import '../../../src/command/infrastructure.ts';
import '../../../src/compose-aws.ts';
import '../../../src/gitlab/client.ts';
import '../../../src/gitlab/no-canary.ts';
import '../../../src/gitlab/pipelines.ts';
import '../../../src/gitlab/registry.ts';
import '../../../src/transport/budget.ts';
import '../../../src/transport/transport.ts';
