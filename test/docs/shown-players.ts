/**
 * Who runs each block as it is printed: a test that reads the block from its document, or one that types the
 * same lines, which are compared; and what no test here can run, with why. A block that stands nowhere here fails
 * test/docs/shown-blocks.test.ts.
 */
export type Player =
  /** It reads the block by `blockOf`, or every block of its kind, and uses it as it stands. */
  | { readonly plays: string }
  /** Each of its lines stands there, written down a second time, or is one of AWS, all of which it takes from the document. */
  | { readonly types: string }
  | { readonly nobody: string };

const readme = { plays: 'test/e2e/documents/readme.test.ts' };
const runbook = { plays: 'test/e2e/documents/runbook.test.ts' };
const sandbox = { plays: 'test/e2e/documents/sandbox.test.ts' };
const yaml = { plays: 'test/docs/shown-yaml.test.ts' };
const aws = { types: 'test/errors/runbook-lines.test.ts' };
const terraform = { plays: 'test/e2e/documents/runbook-terraform.test.ts' };

const byHand = 'Deploy in the sandbox, by hand';

export const players: Readonly<Record<string, Readonly<Record<string, Player>>>> = {
  'README.md': {
    'Try it 1': {
      nobody:
        'minutes more for the same: shown-blocks.test.ts holds its script to `node dist/index.js demo`, and test/e2e/demo.test.ts plays the demo of the package, which is that bundle',
    },
    'Try it 2': { plays: 'test/e2e/demo-in-short.test.ts' },
    [`${byHand} 1`]: readme,
    [`${byHand} 2`]: readme,
    [`${byHand} 3`]: readme,
    [`${byHand} 4`]: readme,
    [`${byHand} 5`]: readme,
    [`${byHand} 6`]: readme,
    [`${byHand} 7`]: readme,
    'Configure 1': readme,
    'Configure 2': readme,
    'Configure 3': readme,
    'In GitLab 1': yaml,
    'In GitHub 1': yaml,
    'How it works 1': {
      nobody: 'a drawing: what it says is in docs/understand/architecture.md, which tests hold',
    },
  },
  'docs/use/gitlab.md': {
    'The first deployment 1': yaml,
    'The first deployment 2': yaml,
    'The jobs 1': {
      nobody: 'a drawing of the jobs, which test/templates/graph.test.ts reads from the template',
    },
    'What is yours to see to 1': yaml,
    'Credentials of AWS 1': yaml,
    'Results 1': yaml,
    'When something is wrong 1': yaml,
  },
  'docs/use/github.md': {
    'The role on AWS 1': yaml,
    'A private repository 1': yaml,
    'The action alone 1': yaml,
  },
  'docs/use/sandbox.md': {
    'The sandbox 1': sandbox,
    'Which GitLab it is 1': sandbox,
    'The signals of a bake 1': sandbox,
    'The signals of a bake 2': sandbox,
    'With a released runner 1': {
      nobody:
        'it needs a released gitlab-runner, and where that lies differs: test/e2e/released-runner.test.ts opens the same sandbox with the one that GITLAB_RUNNER_BINARY names',
    },
    'Faults 1': sandbox,
  },
  'docs/operate/runbook.md': {
    'Runbook 1': runbook,
    'By hand 1': runbook,
    'By hand 2': runbook,
    'Look 1': runbook,
    'Register a candidate 1': runbook,
    'Terraform for one shard 1': terraform,
    'Terraform for one shard 2': terraform,
    'Build it 1': terraform,
    'Build a sick manager anew 1': terraform,
    'Build a sick manager anew 2': aws,
    'Make it active 1': runbook,
    'Drain the old one 1': runbook,
    'Stop it 1': runbook,
    'Deregister 1': runbook,
    'Destroy 1': terraform,
    'Destroy 2': aws,
    'Edit a parameter 1': aws,
    'Give it back 1': runbook,
    'Give it back 2': aws,
  },
};

/** Below a diagnosis of doctor: made from its catalogue, whose every command a world of its own types. */
export const diagnosed = 'test/operator/doctor/broken-stacks.test.ts';
