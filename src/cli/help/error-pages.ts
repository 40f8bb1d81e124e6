// Generated from docs/troubleshooting.md by `npm run generate`; edits here are lost.
export const errorPages: Readonly<Record<string, string>> = {
  BadUsage:
    'Exit code 2. Means: The command line is invalid: an unknown command or option, a malformed value, or a missing option. Or `HTTPS_PROXY` or `HTTP_PROXY` is not a usable address, the AWS region is missing or invalid, or `AWS_PROFILE` is unknown.\nAccepts jobs: Unchanged.\nDo: Run `hosted-runner COMMAND --help` for options and examples.',
  ConfigurationMissing:
    "Exit code 2. Means: This folder has no `hosted-runners.yml`, or the file named by `--config` or `HOSTED_RUNNER_CONFIG` does not exist.\nAccepts jobs: Unchanged.\nDo: Run `hosted-runner init` to create one. In a pipeline, check the job's checkout and folder.",
  UnsafeEnvironment:
    'Exit code 2. Means: A variable could expose the credentials. `NODE_TLS_REJECT_UNAUTHORIZED=0` disables certificate checks, and an `AWS_ENDPOINT_URL…` without https encrypts nothing.\nAccepts jobs: Unchanged.\nDo: Unset the variable and find its source. In GitLab, users who may set pipeline variables could have set it. Put your own CA into `NODE_EXTRA_CA_CERTS`.',
  ComponentInputRefused:
    'Exit code 2. Means: An input of the GitLab component has an invalid value, or `rules` contains a keyword that would override one of the jobs. Such keywords are `when` (except `never`), `allow_failure`, `needs` and `interruptible`.\nAccepts jobs: Unchanged.\nDo: Correct `inputs` in `.gitlab-ci.yml` and start a new pipeline, because a retry keeps the old inputs. See inputs and rules.',
  NotStartedByHand:
    "Exit code 2. Means: The pipeline itself started a job that only an operator may start: `hosted_runner_promote`, or a job of the component `recover`.\nAccepts jobs: Unchanged.\nDo: Remove `when` from that job's `rules` in your own file, and start a new pipeline.",
  InvalidConfiguration:
    'Exit code 2. Means: The file, the variables and the `--set` flags together are not a valid configuration. `validate` also checks files that belong to it: variables of Terraform and the pipeline of the CI.\nAccepts jobs: Unchanged.\nDo: Fix the listed problems, then run `hosted-runner validate`. An unknown `HOSTED_RUNNER_…` variable may be a typo. Keys: configuration.md.',
  UnknownStack:
    'Exit code 2. Means: `--runner` or `HOSTED_RUNNER_RUNNER_NAME` names a stack that is not in the configuration.\nAccepts jobs: Unchanged.\nDo: Use one of the listed names.',
  UnknownShard:
    "Exit code 2. Means: `--shard` (or `HOSTED_RUNNER_SHARD` of the recover template) names none of the stack's two shards.\nAccepts jobs: Unchanged.\nDo: Use one of the two listed shards.",
  FileExists:
    'Exit code 2. Means: `init` found a configuration, or with `--terraform` an `infrastructure/` folder, and did not overwrite it.\nAccepts jobs: Unchanged.\nDo: Run `hosted-runner validate` to check the existing file. `hosted-runner init --stack NAME` adds a stack to it. `hosted-runner init --force` overwrites it. To only add the root module, run `hosted-runner init --terraform --config hosted-runners.new.yml`. Then copy the key `infrastructure` from the new file.',
  RunUnknown:
    "Exit code 2. Means: The variables are those of a CI job, but the id of the run or pipeline, or the pipeline's creation time, is missing.\nAccepts jobs: Unchanged.\nDo: Run the command as a pipeline job. On GitHub, give the job `permissions: actions: read` and `GITHUB_TOKEN`, or set `HOSTED_RUNNER_PIPELINE_CREATED_AT`. If `fix` names a variable with a wrong value, correct it. In a terminal, unset a leftover `CI`, `GITLAB_CI` or `GITHUB_ACTIONS`.",
  TokenMissing:
    'Exit code 2. Means: Neither `HOSTED_RUNNER_GITLAB_TOKEN` nor `GITLAB_TOKEN` is set, or its value cannot be a token: a placeholder or several lines.\nAccepts jobs: Unchanged.\nDo: Export the token, or create a project variable that is masked, hidden and protected, with the environment scope `hosted-runner/*`. A protected variable needs a protected branch. Your own jobs need an environment in that scope, such as `hosted-runner/linux/access` with `action: access`. Scopes: permissions.md.',
  GitHubSecretMissing:
    'Exit code 2. Means: The stack has `runners: github`, but neither the environment nor the parameter of `github.secret_parameter` has a secret. The environment needs `HOSTED_RUNNER_GITHUB_TOKEN`, or `HOSTED_RUNNER_GITHUB_PRIVATE_KEY` for a GitHub App.\nAccepts jobs: Unchanged.\nDo: Export the secret, or store it in the parameter as a SecureString. Permissions: github-runners.md.',
  CredentialsMissing:
    'Exit code 2. Means: The AWS SDK found no credentials: no keys, no profile, no role of the machine.\nAccepts jobs: Unchanged.\nDo: At a terminal, log in and set `AWS_PROFILE`, or export keys. In GitLab CI, set the input `aws_role_arn`, or give the runner a role. In GitHub Actions, set `aws_role`.',
  PreflightFailed:
    "Exit code 2. Means: `prepare` tested the needs of the later stages and lists everything that is missing:\n\n- scopes and role of the token, the listing of runners and hosts, AWS permissions\n- the canary's job, and secrets that the canary would get (the token and the canary)\n- Terraform's program, version, directory, providers, backend, state and variable values\n- with `driver: command`, each executable and the working directory\n\nAccepts jobs: The active shard, untouched. No deployment was started.\nDo: Grant what is listed (permissions.md) and apply the fix at the end of each Terraform line. Then run `hosted-runner prepare --runner linux`. `Not probed` is only a warning.",
  WrongAccount:
    'Exit code 2. Means: AWS reports that the credentials belong to an account other than `aws.account`.\nAccepts jobs: Unchanged.\nDo: Give the job the role of the right account, or set the right `AWS_PROFILE`. If the stack has moved, change `aws.account`.',
  WrongRegion:
    "Exit code 2. Means: The region of `AWS_REGION` or of the profile differs from `aws.region`.\nAccepts jobs: Unchanged.\nDo: Set `AWS_REGION` to the stack's region. If the stack has moved, change `aws.region`.",
  RunsOnTheShardItTouches:
    "Exit code 2. Means: The job runs on a runner of the shard that the stage would drain or remove.\nAccepts jobs: Unchanged.\nDo: Give the deployment's jobs the tag of another runner, and run the job again.",
  NotPrepared:
    'Exit code 2. Means: No deployment is prepared for this stage. There is no record, or the record names another deployment and this pipeline never ran `prepare`. In a terminal: the deployment that `--deployment` or `HOSTED_RUNNER_DEPLOYMENT` names is done.\nAccepts jobs: Unchanged; see `now`.\nDo: In the same pipeline, run `hosted-runner prepare --runner linux`. In a terminal, run `hosted-runner deploy --runner linux` without `--deployment` and `HOSTED_RUNNER_DEPLOYMENT`.',
  StageOutOfOrder:
    'Exit code 2. Means: An earlier stage must run first: for example `shutdown` before `cleanup`, or a healthy candidate before `promote`.\nAccepts jobs: Unchanged; see `now`.\nDo: Run the command in `fix`, then this stage again.',
  LockHeld:
    "Exit code 75. Means: Another run holds `deployment_lock`, and it is not certain that this run has ended. Exit code 3 if the owner's process is suspended (Ctrl-Z). Also 3 if the lock is a day old, and neither the CI nor this machine reports whether its owner still runs.\nAccepts jobs: Unchanged.\nDo: Wait, then run the stage again. hosted-runner takes over the lock of an ended job or process automatically. For a suspended process, `fix` shows how to resume it. `--take-lock` is refused while the owner is reported to run: cancel its job first. If the owner is unknown, verify that its run has ended, then take the lock: `hosted-runner shutdown --runner linux --take-lock`, with your stage's name.",
  LockInvalid:
    'Exit code 3. Means: `deployment_lock` has content that this program does not write. It was edited, or a newer version wrote it.\nAccepts jobs: Unchanged.\nDo: If this program is the older one, upgrade it. Otherwise verify that no deployment of this stack runs, then run the stage with `--take-lock`.',
  LockLost:
    'Exit code 75. Means: This run held `deployment_lock` and lost it before its next change. An operator took it with `--take-lock`, the parameter was edited or deleted, or its history cannot be read up to the newest entry.\nAccepts jobs: Unchanged since the last line of the log; see `now`.\nDo: `hosted-runner doctor --runner linux` shows the lock holder. When that run has ended, run the stage again.',
  DeploymentBusy:
    'Exit code 75. Means: The record names an unfinished deployment of another pipeline. That pipeline may still run, or the deployment drains its old shard. Exit code 3 if the deployment waits for an approval. Also 3 if no source reports that pipeline and the deployment has made no progress for a day.\nAccepts jobs: Unchanged. The error names the phase.\nDo: Let the other pipeline end, approve it, or cancel it. If a drain is unfinished, run `hosted-runner finalize --runner linux`, then `prepare` again.',
  Held: 'Exit code 3. Means: An operator stopped this stack with `hosted-runner hold`. The error shows the operator, the time and the reason.\nAccepts jobs: Unchanged. A running drain continues. Even during the hold, `shutdown`, `cleanup` and `finalize` reopen (unpause) a shard that an earlier drain paused, if the other shard is not verified. The log shows this.\nDo: Contact that operator. When the reason no longer applies, run `hosted-runner release --runner linux`, then the stage again.',
  PipelineSuperseded:
    'Exit code 3. Means: A newer pipeline has deployed this stack. This job is probably an old one that was retried.\nAccepts jobs: Unchanged by this run; probably the shard of the newer deployment.\nDo: Nothing, or start a new pipeline.',
  ForeignWrite:
    "Exit code 3. Means: Another actor (operator or program) wrote the record or `deployment_status` while this stage ran.\nAccepts jobs: See `now`.\nDo: Find the writer: `aws ssm get-parameter-history --name /gitlab/dedicated/runner/linux/deployment_record --query 'Parameters[-5:].[Version,LastModifiedUser,Value]'` shows `LastModifiedUser`. Usual cause: a pipeline without the shared resource group.",
  FactsContradict:
    'Exit code 3. Means: The record, `deployment_status` and the observed state contradict each other. Usual causes: an edited or deleted `deployment_status`, a manually created runner, or a stack that hosted-runner never deployed.\nAccepts jobs: See the column `GitLab` (or `GitHub`) of the table in `why`. In this column, `accepts jobs` means that this was verified. `may accept jobs` means that the runner is unpaused, has the production tags and has contacted GitLab. Nothing was touched, unless the first line reports a reopened shard.\nDo: Decide which shard should accept jobs. If `deployment_status` was edited correctly and its active shard accepts jobs, run `hosted-runner activate --runner linux --shard pink`. If the edit was wrong, restore the earlier value:\n\n```sh\naws ssm put-parameter --name /gitlab/dedicated/runner/linux/deployment_status --overwrite \\\n  --type String --value \'{"active_shard":"pink","inactive_shard":"purple"}\'\n```',
  RecordInvalid:
    "Exit code 3. Means: `deployment_record` is not JSON or lacks the expected form. It was edited.\nAccepts jobs: Not checked. In GitLab, find the stack's runner that is unpaused and has the production tags.\nDo: Find the last good value: `aws ssm get-parameter-history --name /gitlab/dedicated/runner/linux/deployment_record --query 'Parameters[-5:].[Version,LastModifiedUser,Value]'`. Write it with `aws ssm put-parameter --overwrite --type String --name NAME --value VALUE`.",
  RecordFromNewerVersion:
    'Exit code 3. Means: A newer version of this program wrote the record, with a part that this version does not support.\nAccepts jobs: Not checked.\nDo: Use that version in all pipelines of the stack.',
  InactiveShardHealthy:
    "Exit code 3. Means: `Inactive shard appears healthy, aborting to avoid unsafe deploy.` The shard to rebuild runs a customer's job, or its runner is unpaused and has the production tags.\nAccepts jobs: At least the inactive shard, perhaps both. Nothing was touched.\nDo: Run `hosted-runner status --runner linux`. To keep the inactive shard, run `hosted-runner activate --runner linux --shard pink`. Otherwise remove the tags that `fix` names from its runner, or pause the runner in GitLab. Then wait for its jobs. If `why` names a job that is not the canary, another project uses the canary's tag: wait for the job, and change the tag in that project.",
  SharedRegistration:
    'Exit code 3. Means: Both shards use one runner. Pausing it would pause both.\nAccepts jobs: Both shards, through the same runner. Nothing was touched.\nDo: Give one shard another runner. For the inactive shard, destroy its machines, remove the shared token from its parameter, and deploy.',
  NothingServes:
    "Exit code 3. Means: The old shard is due to be paused, stopped or removed, but the new one cannot accept jobs. The new shard's runner is paused or lacks its tags, EC2 and Systems Manager report no machine, or every process has ended. Or neither shard accepts jobs: the deployment is done, or the candidate is not promoted and the old shard has ended.\nAccepts jobs: See `now`. No part of the old shard was removed.\nDo: `why` names the missing part.\n\n- Candidate not promoted: `hosted-runner recover --method auto --runner linux` fixes it and makes it active. If it is verified and waits for its promotion: `hosted-runner promote --runner linux`.\n- Deployment done: `hosted-runner deploy --runner linux` builds the other shard.\n- Runner paused or without tags: `hosted-runner activate --runner linux --shard purple` verifies and unpauses the new shard. Then run `hosted-runner finalize --runner linux`.\n- Machine or process ended: `hosted-runner rollback --runner linux`, or start the machine or process and run the stage again.",
  ServiceUnproven:
    "Exit code 1. Means: An irreversible step (a stop, a removal, a kill) is due for a shard that may still accept jobs, and the other shard is not verified. `why` shows the observations with their age, and the missing proof. Exit code 75 if the verification was older than two minutes on three occasions (a suspended run, a slow network, a small call budget).\nAccepts jobs: See `now`. Nothing was removed.\nDo: Restore the source of the missing proof (the host's agent, the runner's metrics, a canary), or let one job run on the other shard. Or run `hosted-runner rollback --runner linux`. See proofs and two shards that cannot accept jobs.",
  ServiceLost:
    'Exit code 1. Means: During the drain of the old shard, the new one stopped accepting jobs, or was not verified for ten minutes despite a canary. hosted-runner reopened the old shard.\nAccepts jobs: The old shard, if it could be reopened; see `now`.\nDo: Run `hosted-runner rollback --runner linux`. If the new shard is healthy again, run the stage in `fix`, which verifies it first. After the second reopening, no stage pauses the old shard. To keep the new shard, run `hosted-runner activate --runner linux --shard purple`.',
  OpenedAgainTwice:
    'Exit code 3. Means: This deployment reopened the old shard twice, because the new one was unstable. hosted-runner does not pause it a third time.\nAccepts jobs: The old shard, and the new one while it is healthy.\nDo: Run `hosted-runner rollback --runner linux`. If you trust the new shard, run `hosted-runner activate --runner linux --shard purple`, which verifies it and retires the old shard. If neither shard has a machine, use the forced removal.',
  OpenedByOther:
    'Exit code 3. Means: A drain paused the old shard (or a candidate in retreat), and another actor unpaused its runner. hosted-runner does not pause the runner again.\nAccepts jobs: Both shards, if they are healthy.\nDo: To keep the old shard, run `hosted-runner rollback --runner linux` if `fix` prints that command. To keep a candidate in retreat, fix it and run `hosted-runner activate --runner linux --shard purple`. To continue, pause the runner in GitLab and run the other printed command.',
  ForeignRegistration:
    "Exit code 3. Means: A runner in GitLab has the candidate's description, `{shard}-{runner_name}`, but its maintenance note lacks the mark of hosted-runner.\nAccepts jobs: The active shard, untouched.\nDo: Rename that runner, or delete it if it is unused, then run `hosted-runner provision --runner linux`. To use it for the shard, run `hosted-runner activate --runner linux --shard pink`. `recover --method cleanup` does not remove it.",
  DuplicateRegistrations:
    "Exit code 3. Means: Two runners have the candidate's description, and managers of both have contacted GitLab. Or `activate` found several runners for the other shard, and the record names none of them.\nAccepts jobs: The active shard, untouched.\nDo: In GitLab, pause the unused runner, wait for its jobs, and delete it. Then run your command again, such as `hosted-runner provision --runner linux`.",
  TokenLost:
    "Exit code 3. Means: A manager uses the candidate's token, but Parameter Store no longer has it.\nAccepts jobs: The active shard, untouched.\nDo: Write the token to its parameter again, then run the stage. Otherwise run `hosted-runner recover --method cleanup --runner linux`. Once the candidate runs no customer job, this command removes the runner and the infrastructure, and provisions again.",
  HealthcheckTimedOut:
    "Exit code 1. Means: The candidate is unhealthy: required evidence was bad, or was missing at the deadline. Evidence counts as missing only if the sources of all evidence above it in the list below responded. `why` names the missing evidence.\nAccepts jobs: The active shard; `now` shows the proof. Before the switch, the candidate is in quarantine (it takes only the canary, a test job). After a deployment, `healthcheck` checks the active shard.\nDo: Act on the missing evidence:\n\n- instance: Check that the machine runs, its SSM agent is installed, its role can use Systems Manager, and its `Name` tag is `{shard}-{runner_name}_runner-manager`.\n- manager: `gitlab-runner` does not run, has a wrong token, or cannot reach GitLab. Read its log on the host.\n- host: The process is not running or not ready. `why` has its last log line.\n- workload: The host cannot create a volume or a container; the error names the reason.\n- capacity: The autoscaler has fewer idle workers than `healthcheck.idle_workers`.\n- reachability: The candidate cannot reach an address of `healthcheck.reach`. An allow list may lack the candidate's address.\n\n`why` also shows the likely cause (diagnosis), whether a longer wait can help, and the end of the hosts' logs.\n\nRun `provision` again only if `fix` prints it. `fix` also prints the allowed recovery methods, such as `hosted-runner recover --runner linux --method terminate`. `cleanup` needs two consecutive `unhealthy` verdicts if the candidate has contacted GitLab. After the recovery, deploy once more: this rebuilds the other shard, which may have the same fault.",
  CanaryFailed:
    'Exit code 1. Means: The canary ran on the candidate and failed twice.\nAccepts jobs: The active shard, untouched; the candidate is in quarantine.\nDo: Read the log of the job that the error names. Then continue as for HealthcheckTimedOut.',
  HealthInconclusive:
    "Exit code 1. Means: The candidate's health is unknown. GitLab or the host did not respond, a permission is missing, or no canary could run. Or the canary received a secret of the deployment (the token and the canary).\nAccepts jobs: The active shard, untouched; the candidate is in quarantine.\nDo: Fix the problem that `why` names. If the problem is the canary, `fix` names the job to start. In a terminal, `canary.kind: job` has no pipeline for a canary: use `canary.kind: project`. Then run `hosted-runner provision --runner linux`.",
  NotHealthy:
    'Exit code 1. Means: `healthcheck --once` checked once (or queried the endpoint of `healthcheck --listen`), and the shard is not healthy:\n\n- `unhealthy`\n- `inconclusive` or `stalled`: no source responded\n- `draining`: its runner is paused\n- `starting`: no check has run yet\n\nAccepts jobs: Unchanged.\nDo: Run `hosted-runner healthcheck --runner linux`.',
  EndpointSilent:
    'Exit code 1. Means: `healthcheck --once --listen` found no listener at that address, or got no response within 5 s.\nAccepts jobs: Unchanged.\nDo: Start the endpoint: `hosted-runner healthcheck --listen 127.0.0.1:8888 --runner linux`.',
  AddressTaken:
    'Exit code 2. Means: The address of `healthcheck --listen`, or the port of `dashboard --port`, is in use, or this machine does not have the address.\nAccepts jobs: Unchanged.\nDo: Use another port, or 0 for any free port.',
  Retreated:
    "Exit code 1. Means: The candidate was found unhealthy after its promotion had begun and before the switch. It was removed.\nAccepts jobs: The old shard, which stayed active.\nDo: Run `hosted-runner provision --runner linux` to rebuild the candidate. If `fix` names a restored runner with the candidate's description, rename or delete it in GitLab first.",
  CleanupRefused:
    'Exit code 1. Means: `recover --method cleanup` would remove a candidate that may accept jobs. It had a production tag, a job runs on it, or it contacted GitLab and lacks two consecutive `unhealthy` verdicts.\nAccepts jobs: The active shard. Neither shard was touched.\nDo: Run `hosted-runner provision --runner linux`. After a second `unhealthy` verdict, `cleanup` is allowed.',
  StillDraining:
    "Exit code 75. Means: Jobs still run on the old shard, and the CI would end this job within a minute. It is no failure. Exit code 3 if an operator must act: an instance is stopped, or another runner with the description of the shard's runner is not paused.\nAccepts jobs: The new shard. The old one finishes its jobs.\nDo: Run the stage again, or wait for the scheduled `finalize`. If `fix` names a stopped instance, start or terminate it.",
  StillBaking:
    'Exit code 75. Means: The bake of the promoted shard continues, and the CI would end this job within a minute. It is no failure.\nAccepts jobs: The new shard. The old one is drained and paused, but still runs, for a rollback.\nDo: Run the stage again, or wait for the scheduled `finalize`.',
  BakeHeld:
    'Exit code 3. Means: `bake.on_unhealthy: hold` or `bake.on_inconclusive: hold` leaves the decision after the bake to an operator. The stack is on hold.\nAccepts jobs: The new shard; see `now`. The old one is drained and paused, and still runs.\nDo: Check the jobs that `why` names. Release the hold, then run `rollback`, or `finalize` with the printed setting.',
  TakenBack:
    "Exit code 1. Means: This pipeline's deployment was rolled back during its bake, automatically or by an operator. All jobs of this pipeline end with this error while the record contains the rollback.\nAccepts jobs: The previous shard.\nDo: Fix the cause in `why`, then start a new pipeline. The schedule or any `finalize` removes the rest of the bad shard.",
  TakeBackUnproven:
    'Exit code 3. Means: The bake found the new shard unhealthy. The old shard was reopened, but is not verified. hosted-runner removes neither shard and does not roll back again automatically.\nAccepts jobs: See `now`.\nDo: Fix the old shard and run `rollback`, or keep the new one with `activate`.',
  DrainJobTooShort:
    "Exit code 1. Means: Only GitLab can confirm that no job is left, and the token may lack access to some jobs. The confirmation must last 35 minutes in one run (65 before GitLab 19.2), but this job's timeout is shorter (why). A retry cannot help.\nAccepts jobs: The promoted shard. The old one is paused, or reopened if the new one is not verified.\nDo: Give the job a longer timeout (`drain_job_timeout` of the template, and the runner's maximum), or use a terminal. `host.access`, or a token that sees every job, is faster.",
  DrainTimedOut:
    'Exit code 1. Means: `drain.timeout` has passed since the drain began. Nothing was stopped.\nAccepts jobs: The new shard. The old one is paused and finishes its jobs.\nDo: Check the listed jobs. To wait longer, run `hosted-runner shutdown --runner linux --set drain.timeout=none`. To kill the jobs, run `hosted-runner shutdown --runner linux --set drain.force_after=30s`. With `host.access: none`, add `--set host.access=run_command`.',
  DrainBlind:
    "Exit code 3. Means: No source can confirm the end of the old shard's jobs. Its hosts do not respond and its infrastructure may exist. Also, either its runner was deleted or this token cannot see every job.\nAccepts jobs: The promoted shard. The old one accepts no new jobs.\nDo: Check the machines with `hosted-runner doctor --runner linux`. Once no job runs on them, run `hosted-runner recover --runner linux --method terminate --instance i-0123456789abcdef0`. The command is refused if a job is found there. With `host.access: none`, allow the hosts once (`hosted-runner shutdown --runner linux --set host.access=run_command`), or use a token that sees every job.",
  StopUnproven:
    "Exit code 1. Means: The idle `gitlab-runner` got SIGQUIT, but its exit was not confirmed within two minutes. The shard's runner in GitLab is paused and runs no job.\nAccepts jobs: The new shard.\nDo: Run the stage again. If it recurs, check the host for a restart policy or a supervisor.",
  LeftoversRemain:
    "Exit code 1. Means: `destroy` succeeded, but resources of the shard still exist five minutes later.\nAccepts jobs: The remaining shard; see `now`.\nDo: Run the stage again, because Systems Manager shows a terminated host for a while. Delete or rename a runner that has the shard's description and was not created by hosted-runner.",
  NotConfirmed:
    'Exit code 2. Means: The name of the shard (for `doctor --fix`: `yes`) was not typed, or there is neither a terminal nor `--yes`.\nAccepts jobs: Unchanged.\nDo: Check the printed account, stack, shard and instances. Then type the shard, or add `--yes` in a job.',
  NothingToFix:
    'Exit code 3. Means: `doctor --fix` found nothing to repair. It repairs only cases with one possible outcome, such as the lock of an ended job.\nAccepts jobs: Unchanged.\nDo: Run the printed commands, or `hosted-runner doctor --runner linux`.',
  CannotRecover:
    'Exit code 1. Means: This recovery method is not allowed or cannot help, for the reason in `why`. Examples: the last apply changed nothing, fewer than two healthchecks failed, a job is running, the shard is active, or the instance is not unique.\nAccepts jobs: Unchanged.\nDo: Use a printed method, or `--method auto`. After the promotion, run `hosted-runner finalize --runner linux`. If the promoted shard cannot accept jobs and `fix` prints it, run `hosted-runner rollback --runner linux`.',
  NoRungLeft:
    'Exit code 3. Means: No recovery method is allowed or can help. `why` has one line for each method (`Rung` in the code is the old word for a method).\nAccepts jobs: Unchanged.\nDo: `hosted-runner doctor --runner linux` shows the obstacle. A running job must end first.',
  NothingToRollBack:
    'Exit code 2. Means: No rollback is possible. The record has no retiring shard, the removal of that shard has begun, or none of its hosts can run its process.\nAccepts jobs: The active shard, untouched.\nDo: `fix` has the command for this phase:\n\n- Done: `hosted-runner deploy --runner linux` rebuilds the other shard.\n- Before the switch: `hosted-runner recover --method auto --runner linux` fixes the candidate.\n- After the switch: `hosted-runner finalize --runner linux`. If no shard accepts jobs: `hosted-runner recover --although-nothing-serves --runner linux`, then `hosted-runner deploy --runner linux`.',
  TakenBackBefore:
    'Exit code 3. Means: `prepare` or `deploy` would build a configuration that was rolled back: as far as known, the settings and the plan (or else the commit) are identical. `why` shows the earlier cause.\nAccepts jobs: See `now`. If the active shard is only paused or lacks its tags, `fix` begins with the command that reopens it.\nDo: Fix the cause or build another image, and start a new pipeline. If an external cause is gone, set the variable `HOSTED_RUNNER_AGAIN` in a new pipeline, or run `hosted-runner deploy --runner linux --again "the registry is back"`. See rollback.',
  StartUnproven:
    "Exit code 1. Means: `rollback` restarted the stopped process of the old shard, but the process does not run. The shard is in quarantine or paused.\nAccepts jobs: The promoted shard, untouched.\nDo: `hosted-runner doctor --runner linux --logs` shows the host's log. The command in `fix` retries the start. `hosted-runner provision --runner linux` checks the shard and removes it if unhealthy; a second run rebuilds it.",
  NoSuchRegistration:
    "Exit code 2. Means: `activate` cannot identify the shard's runner in GitLab. No runner has its description or the typed id, or several have it and the record names none.\nAccepts jobs: Unchanged.\nDo: In GitLab, give exactly one runner the description `{shard}-{runner_name}`, for example `pink-linux`. Then run `activate` again. If there is no runner, use `deploy`. `hosted-runner status --runner linux` shows the ids.",
  CannotActivate:
    'Exit code 2. Means: No machine or process of the shard can take a job, so a proof is impossible. Or an earlier activation failed, and its retreat is unfinished (`recover` finishes it).\nAccepts jobs: Unchanged; see `now`.\nDo: Run the command in `fix`:\n\n- `rollback` starts an ended process, or returns to the other shard.\n- `recover` rebuilds a candidate.\n- `finalize` finishes the deployment. If no shard accepts jobs, use `recover --although-nothing-serves`.\n- `deploy` builds a new shard.',
  RegistrationOfAnotherShard:
    "Exit code 2. Means: The runner for `activate` belongs to the other shard or another stack, according to its description or the record. Or its description differs and none of its managers runs on the shard's hosts, or the activation began with another runner.\nAccepts jobs: Unchanged.\nDo: `hosted-runner status --runner linux` shows the runners. Omit `--registration` if the shard's runner has its description, such as `purple-linux`. Otherwise give the runner that description in GitLab first.",
  Unreachable:
    "Exit code 1. Means: GitLab or AWS did not respond after several attempts. Exit code 75 in `shutdown`, `bake`, `cleanup`, `finalize` and a retreat, with exceptions: an untrusted CA, an unknown DNS name, or no progress for a day. A drain waits ten minutes for a response, and a bake continues.\nAccepts jobs: See `now`. Running jobs continue.\nDo: Check address, proxy and network at the job's location. For your own CA, set `NODE_EXTRA_CA_CERTS` to its PEM file.",
  Unavailable:
    "Exit code 75. Means: GitLab or AWS returned 5xx, or AWS timed out internally, for longer than hosted-runner retries. Or AWS refused the timestamp of a request, although the SDK had corrected the clock offset. `STS cannot reach the keys of the issuer`: STS cannot read the CI's file `/.well-known/openid-configuration`, or its keys, over the internet.\nAccepts jobs: See `now`.\nDo: Wait, then run the stage again. If STS can never reach your GitLab, make this file and the keys reachable from the internet.",
  GitLabTooOld:
    'Exit code 2. Means: GitLab is older than 17.5, the oldest supported version.\nAccepts jobs: Unchanged. A started deployment continues with a warning.\nDo: Upgrade GitLab. gitlab-runner is supported from 15.8; older versions send no system id to distinguish managers.',
  ReadOnly:
    'Exit code 1. Means: GitLab is in maintenance mode, or its organization is read-only. It refused every write for ten minutes. Exit code 75 in the same stages and with the same exceptions as Unreachable.\nAccepts jobs: Neither shard gets new jobs meanwhile; running jobs continue. A runner that was refused three times stops polling for an hour, which does not count as unhealthy.\nDo: Wait until the maintenance ends, then run the stage again.',
  Throttled:
    'Exit code 75. Means: GitLab or GitHub accepts no call for 3 minutes, your budget (`gitlab.calls_per_minute`, `gitlab.calls_per_hour`) is used up for that time, or AWS throttled a call for 30 seconds.\nAccepts jobs: See `now`.\nDo: Wait for the time in the error. If it recurs, other programs use the same limit, or your budget is too small. `hosted-runner status --api` shows both.',
  CredentialsRefused:
    "Exit code 1. Means: The token or the AWS credentials are wrong, revoked or expired. `RequestTimeTooSkewed` and `Signature expired`: the machine's clock is wrong. `RequestExpired`: either cause.\nAccepts jobs: See `now`.\nDo: Renew the credentials that the error names, as in `fix`. If `fix` names the clock, correct it. Then run the stage again; a drain continues.",
  CredentialsEnded:
    'Exit code 75. Means: AWS credentials of this run have expired or expire too soon for the next change, and could not be renewed. In the last two minutes of the credentials, no change starts; in the last ten, no apply or destroy.\nAccepts jobs: See `now`. The record shows the unfinished work.\nDo: Run the stage again with new credentials. If it recurs, use credentials that renew themselves or last longer.',
  RoleRefused:
    "Exit code 1. Means: STS refuses the role to this job. The trust policy does not match the job's identity token, the identity provider or its audience is missing, or STS is inactive in the Region. Or a profile is not allowed to assume the role. AWS accepts no issuer with http or a port. `why` shows `iss`, `sub` and `aud` of the token, never the token.\nAccepts jobs: See `now`.\nDo: First run the command in `fix`, which creates the provider, adds the audience or activates STS. Then compare the condition in `fix` with the trust policy; values are case-sensitive. If a job has an environment, `sub` contains it. See GitHub and GitLab.",
  CheckDocumentRefused:
    'Exit code 1. Means: Systems Manager lacks the document of `host.document`, or its content differs from the expected content. That content depends on the release, `host`, `healthcheck.reach` and `healthcheck.workload_image`.\nAccepts jobs: See `now`.\nDo: Update the document with the commands in `fix`, or apply the Terraform example. If the document does not exist, run `aws ssm create-document --name NAME --document-type Command --content file://check-document.json`.',
  PermissionMissing:
    'Exit code 1. Means: The credentials are valid, but lack the permission for this call.\nAccepts jobs: See `now`.\nDo: Grant the call as in permissions.md.',
  RunnerLimit:
    'Exit code 1. Means: The group or project has as many runners as its plan allows. A deployment needs one more.\nAccepts jobs: See `now`.\nDo: Remove unused runners, or have an administrator raise the limit.',
  Refused:
    'Exit code 1. Means: The system refused the request; its reason is quoted. A failed command of `driver: command` also has this code.\nAccepts jobs: See `now`.\nDo: Fix the quoted reason. The output of your `apply` or `destroy` is above the error.',
  UnexpectedAnswer:
    "Exit code 1. Means: The response does not match the API's documentation (a login page, a proxy's error, a missing field), or an accepted request never took effect.\nAccepts jobs: See `now`.\nDo: Verify that `gitlab.url` is GitLab itself, without `/api/v4`. If it is, report the error.",
  PlanRefused:
    "Exit code 3. Means: The plan would change resources outside the shard, or more than its purpose needs.\nAccepts jobs: Unchanged; the plan was not applied.\nDo: Correct the configuration or its state. If the listed resources are the shard's, add their prefix to `infrastructure.own_names`.",
  PlanChanged:
    'Exit code 3. Means: The saved plan differs from the checked plan: another process writes to the same directory.\nAccepts jobs: Unchanged; the plan was not applied.\nDo: Find the other process, then run the stage again.',
  TerraformPlanStale:
    'Exit code 1. Means: The state changed after the plan.\nAccepts jobs: See `now`.\nDo: Find out what changed the state, then run the stage again.',
  TerraformStateLocked:
    "Exit code 75. Means: Another run has held the lock of the shard's state for longer than `infrastructure.lock_timeout` and is not proven dead. Exit code 3 if the lock is a day old.\nAccepts jobs: Unchanged.\nDo: Wait, then run the stage again. If you verified that the other run has ended, run the `force-unlock` command of `fix` in the same checkout. In another checkout, run any stage of the stack first to initialize its folder. If the backend reports no id (`pg`, `http` without a body), remove the lock in the backend.",
  TerraformLockFailed:
    "Exit code 1. Means: The request for the state's lock failed, for example because the lock table or the bucket is missing. Or the lock could not be released.\nAccepts jobs: Unchanged.\nDo: Correct the backend as the quoted text shows. A retry does not help.",
  TerraformUnreachable:
    'Exit code 1. Means: A service that the tool calls (the backend, AWS, a name server) did not respond or returned a server error.\nAccepts jobs: See `now`.\nDo: Check the network and the named address.',
  TerraformThrottled:
    'Exit code 75. Means: AWS throttled the tool for longer than it retries. A throttled lock request has exit code 1.\nAccepts jobs: See `now`.\nDo: Run the stage again in some minutes.',
  TerraformIssuerUnreachable:
    "Exit code 75. Means: STS issued no credentials, because it could not fetch the keys of the token's issuer (the CI).\nAccepts jobs: See `now`.\nDo: Run the stage again.",
  TerraformCapacity:
    'Exit code 1. Means: The Availability Zone lacks capacity for this instance type or does not offer it. No quota is reached.\nAccepts jobs: See `now`.\nDo: Configure another zone or instance type (AWS often names zones with capacity), or run the stage again later.',
  TerraformSubnetFull:
    'Exit code 1. Means: The subnet has no free address. During a deployment, two shards exist.\nAccepts jobs: See `now`.\nDo: Configure a larger or another subnet, or remove unused network interfaces.',
  TerraformRoleRefused:
    "Exit code 1. Means: STS refused a role to the tool. For `AssumeRoleWithWebIdentity`, the role's trust policy does not match the token's `sub` and `aud`, or the account lacks the provider. Or STS is inactive in the Region.\nAccepts jobs: See `now`.\nDo: Create the provider or activate STS if `fix` names it. Otherwise compare the trust policy with the token (github.md, permissions.md). For `AssumeRole`, the caller also needs that action.",
  TerraformStateShared:
    'Exit code 2. Means: The directory\'s backend would give both shards one state, and the next plan would destroy one of the shards.\nAccepts jobs: Unchanged.\nDo: Add a backend block to the directory, such as `terraform { backend "s3" {} }`.',
  TerraformMissing:
    'Exit code 2. Means: The program of `infrastructure.binary` is not on `PATH`.\nAccepts jobs: Unchanged.\nDo: Install it in the image of these jobs, or change the key to `terraform` or `tofu`.',
  TerraformTooOld:
    'Exit code 2. Means: The plan guard needs a later version of the tool.\nAccepts jobs: Unchanged.\nDo: Install the version that the error names, or a later one.',
  TerraformVersionRefused:
    'Exit code 2. Means: `required_version` or the state does not accept the installed version.\nAccepts jobs: Unchanged.\nDo: Install the named version. An older version cannot read the state of a newer one.',
  TerraformDirectoryMissing:
    'Exit code 2. Means: `infrastructure.directory` does not exist, relative to the working directory of `hosted-runner`.\nAccepts jobs: Unchanged.\nDo: Correct the path, or run the job in the right folder.',
  TerraformConfigurationInvalid:
    'Exit code 2. Means: The tool rejects the configuration. Its text names file and line.\nAccepts jobs: Unchanged.\nDo: Correct that line.',
  TerraformNameTaken:
    "Exit code 1. Means: The name of a new resource is taken by a resource that is in no Terraform state. A killed run may have created it.\nAccepts jobs: Unchanged; the candidate takes no customer job.\nDo: Run the stage again. It adopts roles, instance profiles, log groups, Auto Scaling groups, launch templates, security groups and their rules if they carry exactly the shard's tags. For other kinds, verify the tags, then remove or import the resource in the same directory: `TF_DATA_DIR=.terraform/hosted-runner/{runner_name}-{shard} terraform import -var=shard={shard} -var=runner_name={runner_name} ADDRESS ID`. The error shows the address.",
  TerraformProviderMissing:
    'Exit code 2. Means: A provider or a module could not be installed.\nAccepts jobs: Unchanged.\nDo: Give the jobs access to the registry, or configure a mirror with `TF_CLI_CONFIG_FILE`.',
  TerraformCredentials:
    "Exit code 1. Means: The tool's credentials are missing or were rejected, or the machine's clock is wrong (`fix` then names the clock). If a role expired during a long apply, the state could not be written, and the error names its local copy.\nAccepts jobs: See `now`.\nDo: Renew the role, the web identity, the profile or the backend's token. Then run the stage again in the same checkout: it writes that state first (terraform.md).",
  TerraformDenied:
    'Exit code 1. Means: The role is not allowed to create, change or delete a resource of your Terraform configuration. permissions.md does not list these permissions.\nAccepts jobs: See `now`.\nDo: Grant the role the action that the error names.',
  TerraformQuota:
    'Exit code 1. Means: A quota of the account is reached, such as vCPUs, Spot instances or addresses.\nAccepts jobs: See `now`.\nDo: Have the quota raised, or remove unused resources.',
  Cancelled:
    "Exit code 130. Means: SIGINT, SIGTERM or SIGHUP: an operator cancelled the run or closed the terminal, or the CI ended the job. The current change got five seconds to finish, and no new change started. One exception: a shard that this deployment's drain paused is reopened unless the other shard is verified.\nAccepts jobs: See `now`.\nDo: Run the stage again to continue. If the old shard was reopened, check the new one first, or run the printed rollback.",
  OutputLost:
    'Exit code 1. Means: The command succeeded, but its standard output could not be written, for example because of a full disk.\nAccepts jobs: See `hosted-runner status`.\nDo: Free disk space or redirect the output, then run the command again.',
  SnapshotUnwritable:
    'Exit code 2. Means: The file of `dashboard --once` cannot be written. hosted-runner does not create its folder.\nAccepts jobs: Unchanged.\nDo: Create the folder, or name another file.',
  EvidenceUnwritable:
    'Exit code 2. Means: The evidence file, or the one in the report folder, cannot be written. If this begins during a run, the run continues and standard error reports it.\nAccepts jobs: Unchanged.\nDo: Name a writable file, or omit the evidence.',
  RecordUnwritable:
    'Exit code 2. Means: The file of `HOSTED_RUNNER_RECORD` (recording) cannot be written, or is a folder, a pipe or a device. If this begins during a run, the run continues and standard error reports it.\nAccepts jobs: Unchanged.\nDo: Name a writable file, or unset the variable.',
  Bug: "Exit code 1. Means: Internal error of this program.\nAccepts jobs: See `now`, if known.\nDo: Report it with the whole text in the project's issues.",
  SandboxUnknown:
    'Exit code 2. Means: A subcommand such as `sandbox apply` needs `HOSTED_RUNNER_SANDBOX_URL`.\nAccepts jobs: Unchanged.\nDo: Start `hosted-runner sandbox` and export the printed variables.',
  SandboxRunsAlready:
    'Exit code 2. Means: A sandbox already runs with this folder.\nAccepts jobs: Unchanged; the running sandbox was not touched.\nDo: Use it, or run `hosted-runner sandbox --folder FOLDER`.',
  SandboxPortTaken:
    'Exit code 2. Means: Another program listens on the port of `--port`.\nAccepts jobs: Unchanged.\nDo: `hosted-runner sandbox --port 0` uses any free port.',
  RunnerBinaryUnusable:
    'Exit code 2. Means: The program of `--runner-binary` did not report the version of a gitlab-runner. It is missing, not executable, built for another platform, or another program.\nAccepts jobs: Unchanged.\nDo: Name the program itself: `hosted-runner sandbox --runner-binary /usr/bin/gitlab-runner`.',
  SandboxUnreachable:
    'Exit code 1. Means: No sandbox responds at `HOSTED_RUNNER_SANDBOX_URL`. It was stopped, or the variable is from an earlier sandbox.\nAccepts jobs: Unchanged.\nDo: Run `hosted-runner sandbox` and export the printed variables.',
};
