/** Wrong command line with the texts that its error prints. */
export interface UsageRow {
  /** Command line in shell syntax. */
  readonly typed: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Printed texts to type: each a command, or a part of the command line. */
  readonly prints: readonly string[];
}

const linux = '--runner linux';
const pink = '--shard pink';
const seeStatus = 'hosted-runner status';
const listening = `healthcheck ${linux} --listen 127.0.0.1:1`;
const replacing = `recover ${linux} --method replace`;

/** Command lines with a usage error, at least one for each error in the sources. */
export const rows: readonly UsageRow[] = [
  {
    typed: `provisoin ${linux}`,
    prints: [`hosted-runner provision ${linux}`, 'hosted-runner --help'],
  },
  {
    typed: `sandbox aply ${linux} ${pink}`,
    prints: [`hosted-runner sandbox apply ${linux} ${pink}`, 'hosted-runner --help'],
  },
  { typed: 'setup', prints: ['hosted-runner setup gitlab --help'] },
  {
    typed: 'setup gitlab --project runners',
    prints: ['hosted-runner setup gitlab --project acme/runners'],
  },
  {
    typed: "setup gitlab --environment 'a b'",
    prints: ['hosted-runner setup gitlab --environment hosted-runner'],
  },
  { typed: 'help provisoin', prints: ['hosted-runner help provision', 'hosted-runner --help'] },
  ...['--runner-name', '--runner_name', '--stack', '--runnr'].map((option) => ({
    typed: `deploy ${option} linux`,
    prints: [`hosted-runner deploy ${linux}`, 'hosted-runner deploy --help'],
  })),
  { typed: 'status --nothing', prints: ['hosted-runner status --help'] },
  { typed: 'sandbox apply --nothing', prints: ['hosted-runner sandbox --help'] },
  {
    typed: `status ${linux} --all`,
    prints: ['hosted-runner status --runner NAME', 'hosted-runner status --all'],
  },
  {
    typed: `doctor ${linux} --all`,
    prints: ['hosted-runner doctor --runner NAME', 'hosted-runner doctor --all'],
  },
  { typed: 'doctor --fix --all', prints: ['hosted-runner doctor --fix --yes --runner NAME'] },
  {
    typed: `finalize ${linux} --all`,
    prints: ['hosted-runner finalize --runner NAME', 'hosted-runner finalize --all'],
  },
  {
    typed: 'finalize --deployment 1-200 --all',
    prints: ['hosted-runner finalize --runner NAME', 'hosted-runner finalize --all'],
  },
  { typed: 'dashboard --once page.html --every 10s', prints: ['hosted-runner dashboard --help'] },
  {
    typed: 'shutdown',
    prints: [`hosted-runner shutdown ${linux}`, 'hosted-runner shutdown --runner arm'],
  },
  {
    typed: `sandbox apply ${pink}`,
    prints: [
      `hosted-runner sandbox apply ${pink} ${linux}`,
      `hosted-runner sandbox apply ${pink} --runner arm`,
    ],
  },
  { typed: `sandbox destroy ${linux}`, prints: ['hosted-runner sandbox destroy --help'] },
  {
    typed: 'sandbox signal --says 404',
    prints: [
      'hosted-runner sandbox signal --webhook --says 404',
      'hosted-runner sandbox signal --help',
    ],
  },
  {
    typed: 'sandbox signal --webhook --alarm one --says 404',
    prints: [
      'hosted-runner sandbox signal --webhook --says 404',
      'hosted-runner sandbox signal --help',
    ],
  },
  { typed: 'sandbox signal --webhook', prints: ['hosted-runner sandbox signal --help'] },
  { typed: 'init --stack Linux', prints: ['hosted-runner init --stack linux'] },
  { typed: `activate ${linux}`, prints: ['hosted-runner activate --help'] },
  { typed: `hold ${linux}`, prints: ['hosted-runner hold --help'] },
  { typed: `recover ${linux}`, prints: ['hosted-runner recover --help'] },
  {
    typed: `recover ${linux} --method auto --although-nothing-serves`,
    prints: ['hosted-runner recover --help'],
  },
  { typed: `healthcheck ${linux} ${pink}`, prints: ['hosted-runner healthcheck --help'] },
  {
    typed: `healthcheck ${linux} --once --every 30s`,
    prints: ['hosted-runner healthcheck --help'],
  },
  { typed: 'status --runner Linux', prints: [seeStatus] },
  { typed: 'status', environment: { HOSTED_RUNNER_RUNNER_NAME: 'Linux' }, prints: [seeStatus] },
  { typed: `sandbox apply ${linux} --shard Pink`, prints: [seeStatus] },
  { typed: `prepare ${linux} --deployment -x`, prints: [seeStatus] },
  {
    typed: `prepare ${linux}`,
    environment: { HOSTED_RUNNER_DEPLOYMENT: '-x' },
    prints: [seeStatus],
  },
  { typed: `activate ${linux} ${pink} --registration x`, prints: [seeStatus] },
  { typed: `recover ${linux} --method terminate --instance x`, prints: ['hosted-runner doctor'] },
  { typed: "validate --config ''", prints: ['hosted-runner validate --config FILE'] },
  ...['HOSTED_RUNNER_REPORT_DIR', 'HOSTED_RUNNER_EVIDENCE_FILE'].map((variable) => ({
    typed: `prepare ${linux}`,
    environment: { [variable]: 'a\nb' },
    prints: [`export ${variable}=FILE`],
  })),
  {
    typed: `deploy ${linux}`,
    environment: { HOSTED_RUNNER_AGAIN: 'a\nb' },
    prints: ["export HOSTED_RUNNER_AGAIN='AWS maintenance until noon'"],
  },
  { typed: `prepare ${linux} --set drain.timeout`, prints: ['--set drain.timeout=2h'] },
  { typed: "sandbox --env ''", prints: ['hosted-runner sandbox --env FILE'] },
  { typed: 'sandbox --port 65536', prints: ['hosted-runner sandbox --port 0'] },
  {
    typed: 'sandbox --forward-ssm ftp://x',
    prints: ['hosted-runner sandbox --forward-ssm http://127.0.0.1:5000'],
  },
  { typed: 'completion tcsh', prints: ['hosted-runner completion bash'] },
  { typed: 'demo --speed 0', prints: ['hosted-runner demo --speed 2'] },
  {
    typed: `hold ${linux} --reason ' '`,
    prints: [`hosted-runner hold ${linux} --reason 'AWS maintenance until noon'`],
  },
  {
    typed: `healthcheck ${linux} --listen localhost:1`,
    prints: [`hosted-runner healthcheck ${linux} --listen 127.0.0.1:8888`],
  },
  {
    typed: `${listening} --allow-host '*'`,
    prints: [`hosted-runner ${listening} --allow-host health.example.com`],
  },
  {
    typed: `${listening} --every 1ms`,
    prints: [`hosted-runner ${listening} --every 30s`],
  },
  {
    typed: `${replacing} --address -x`,
    prints: [`hosted-runner ${replacing} --address aws_instance.runner_manager`],
  },
];
