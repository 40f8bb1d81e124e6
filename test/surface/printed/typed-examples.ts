export type Example = readonly [
  line: string,
  /** What it promises, in its own words. */
  promise: RegExp,
  environment?: Readonly<Record<string, string>>,
];

/** One after the other in one world: each finds what those before it have left. */
export const parts: readonly (readonly [part: string, examples: readonly Example[]])[] = [
  [
    'the first deployment',
    [
      ['validate', /hosted-runners\.yml is valid: 1 stack\./],
      [
        'validate --config infra/hosted-runners.yml',
        /infra\/hosted-runners\.yml is valid: 1 stack\./,
      ],
      ['check-document --runner linux', /^\{"schemaVersion":"2\.2",.*\}$/],
      ['check-document --runner linux --output check-document.json', /^$/],
      ['validate --json', /"runner_name": "linux"/],
      [
        'deploy --runner linux --set healthcheck.timeout=30m',
        /✔ deploy: .* of candidate pink is done\./,
        { HOSTED_RUNNER_EVIDENCE_FILE: 'evidence.jsonl' },
      ],
      ['verify evidence.jsonl', /^1 run, \d+ lines: \d+ held, 0 violated/m],
      ['status', /^linux: pink serves jobs/m, { HOSTED_RUNNER_RECORD: 'recording.jsonl' }],
      ['replay recording.jsonl', / answers: 0 could not be read, 0 not as known\.$/m],
      ['replay --json recording.jsonl', /"outcome": "read"/],
    ],
  ],
  [
    'looks',
    [
      ['status --runner linux --watch', /│ pink +│ active +│ yes/],
      ['status --json', /"active": "pink"/],
      ['status --api', /GitLab \(127\.0\.0\.1:\d+\)/],
      ['dashboard', /^Listening on http:\/\/127\.0\.0\.1:8890\/: 1 stack, until Ctrl-C\.$/m],
      ['dashboard --port 0 --every 10s', /^Listening on http/],
      [
        'dashboard --once public/index.html',
        /^Wrote public\/index\.html: 1 of 1 stack could be read\.$/m,
      ],
      ['doctor --runner linux', /^One shard serves, and nothing is unfinished\. \(healthy\)$/m],
      [
        'doctor --runner linux --logs',
        /^Last log lines of i-\w+ \(pink\):\n {2}[\d-]+T[\d:.]+Z Starting/m,
      ],
      ['doctor --all --json', /"code": "healthy"/],
      [
        'hold --runner linux --reason "AWS maintenance until noon"',
        /Held linux: AWS main.* noon\./,
      ],
      ['release --runner linux', /✔ release: linux can be deployed again\./],
    ],
  ],
  [
    'stages up to the promotion',
    [
      [
        'prepare --runner linux',
        /✔ prepare: candidate purple, retiring pink\./,
        { HOSTED_RUNNER_EVIDENCE_FILE: 'prepare.jsonl' },
      ],
      [
        'prepare --runner linux --config infra/hosted-runners.yml',
        /Nothing to do for prepare: .* is prepared/,
      ],
      ['onboard --runner linux', /Onboarded purple: runner 48002 in quarantine/],
      ['onboard --runner linux --config infra/hosted-runners.yml', /✔ onboard: .* is onboarded\./],
      [
        'provision --runner linux --until healthy',
        /✔ provision: .* of candidate purple is healthy\./,
      ],
      ['healthcheck --runner linux', /✔ healthcheck: purple is healthy: /],
      ['promote --runner linux', /Switched: purple is active \(status version 2\)\./],
      [
        'promote --runner linux --set healthcheck.timeout=30m',
        /Nothing to do for promote: purple is promoted already\./,
      ],
      [
        'provision --runner linux',
        /Nothing to do for provision: purple is promoted already\./,
        { HOSTED_RUNNER_EVIDENCE_FILE: 'provision.jsonl' },
      ],
      ['verify --json prepare.jsonl provision.jsonl', /^(?![\s\S]*"violated")[\s\S]*"runs": 2,/],
    ],
  ],
  [
    'stages behind it',
    [
      ['shutdown --runner linux', /Drained pink: [\s\S]*Stopped the runner process/],
      [
        'shutdown --runner linux --set drain.timeout=2h',
        /✔ shutdown: .* of candidate purple is drained\./,
      ],
      ['cleanup --runner linux', /✔ cleanup: .* of candidate purple is done\./],
      ['cleanup --runner linux --take-lock', /Nothing to do for cleanup/],
      ['bake --runner linux', /Nothing to do for bake/],
      ['bake --runner linux --set bake.for=1h', /Nothing to do for bake/],
      ['finalize --runner linux', /Nothing to do for finalize/],
      ['finalize --runner linux --set drain.timeout=2h', /Nothing to do for finalize/],
      ['finalize --all', /^1 of 1 stacks are finished\.$/m],
      ['healthcheck --runner linux --listen 127.0.0.1:8888', /Listening on http/],
      ['sandbox apply --runner linux --shard pink', /"outcome":"done","added":13,/],
      ['sandbox destroy --runner linux --shard pink', /"outcome":"done",.*"destroyed":13,/],
      ['sandbox signal --alarm runner-errors --says ALARM', /^$/],
      ['sandbox signal --query runner_errors --says 0.2', /^$/],
      ['sandbox signal --webhook --says 404', /^$/],
    ],
  ],
];
export const inOneWorld = parts.flatMap(([, examples]) => examples);

/** Waiting that is only the world's own slowness, shortened. */
export const shortened = {
  HOSTED_RUNNER_HEALTHCHECK_POLL: '200ms',
  HOSTED_RUNNER_DRAIN_POLL: '200ms',
  HOSTED_RUNNER_DRAIN_POLL_OF_RUNNER: '600ms',
  HOSTED_RUNNER_DRAIN_CONFIRMATION: '2s',
};

/** Each in an empty folder of its own. */
export const inNoWorld: readonly (readonly [line: string, how: string])[] = [
  ['init', '0'],
  ['init --terraform', '0'],
  ['explain DrainTimedOut', '0'],
  ['explain', '0'],
  ['completion bash', '0'],
  ['completion zsh', '0'],
  ['completion fish', '0'],
  ['init --ci github', '0'],
  ['sandbox', 'serves, 0'],
  ['sandbox --env sandbox.env', 'serves, 0'],
  ['sandbox --folder .hosted-runner --port 8765', 'serves, 0'],
  ['sandbox --gitlab-version 17.5', 'serves, 0'],
];

/** Whole deployments of minutes, each by itself. */
export const elsewhere: Readonly<Record<string, string>> = {
  demo: 'test/e2e/demo-in-short.test.ts',
  'demo --all --verbose': 'test/e2e/demo.test.ts',
  'demo --runners github': 'test/e2e/demo-github.test.ts',
  'demo --gitlab-version 17.5': 'test/e2e/demo-of-versions.test.ts',
  'demo --json demo.json --report timeline.html': 'test/e2e/demo.test.ts',
};
