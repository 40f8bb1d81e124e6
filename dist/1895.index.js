export const id=1895;export const ids=[1895];export const modules={51895:(e,t,r)=>{r.d(t,{initialise:()=>initialise});var i=r(54404),n=r(2423),o=r(82509),a=r(6989);async function exploreRepository({folder:e,environment:t,ci:r}){let i=parseRemote(await e.read(".git/config").catch(()=>void 0)??""),n=await chooseCi({folder:e,environment:t,ci:r,remote:i}),o=chooseUrl({environment:t,ci:n.ci,remote:i}),a=await findInfrastructure(e,".",3);return{...n,...o,...void 0===i?{}:{projectPath:i.path},...gitHubIds(t),...void 0===a?{}:{infrastructure:a}}}function gitHubIds(e){let t=e.GITHUB_REPOSITORY_OWNER_ID??"",r=e.GITHUB_REPOSITORY_ID??"";return/^\d+$/.test(t)&&/^\d+$/.test(r)?{gitHubIds:{owner:t,repository:r}}:{}}function parseRemote(e){let t=[...e.matchAll(/\[remote "([^"\n]+)"\]([^[]*)/g)],r=t.find(([,e])=>"origin"===e)??t[0],i=r?.[2]?.match(/^\s*url\s*=\s*(\S+)\s*$/m)?.[1]??"",[,n,o]=/^(?:https?|ssh|git):\/\/(?:[^@/\s]*@)?([A-Za-z0-9.-]+)(?::\d+)?\/(.+)$/.exec(i)??/^(?:[^@/\s]+@)?([A-Za-z0-9.-]+):(?!\/)(.+)$/.exec(i)??[],a=o?.replace(/\.git\/?$/,"").replace(/\/$/,"")??"";if(void 0!==n&&/^[A-Za-z0-9_][A-Za-z0-9_./-]*$/.test(a))return{host:n.toLowerCase(),path:a}}async function chooseCi({folder:e,environment:t,ci:r,remote:i}){if(void 0!==r)return{ci:r,ciReason:"you said so"};if("true"===t.GITHUB_ACTIONS)return{ci:"github",ciReason:"it runs here"};if("true"===t.GITLAB_CI)return{ci:"gitlab",ciReason:"it runs here"};if(i?.host==="github.com")return{ci:"github",ciReason:"the git remote is there"};if(void 0!==i&&/(^|\.)gitlab/.test(i.host))return{ci:"gitlab",ciReason:"the git remote is there"};let n=await e.list(".github/workflows"),o=await e.read(".gitlab-ci.yml");return void 0===o&&n.length>0?{ci:"github",ciReason:"there are .github/workflows"}:void 0!==o?{ci:"gitlab",ciReason:"there is a .gitlab-ci.yml"}:{ci:"gitlab",ciReason:"nothing here speaks against it"}}function chooseUrl({environment:e,ci:t,remote:r}){let i=e.CI_SERVER_URL??"";return/^https:\/\/[A-Za-z0-9.:/-]+$/.test(i)?{gitlabUrl:i,gitlabUrlReason:"CI_SERVER_URL"}:"gitlab"===t&&void 0!==r&&"github.com"!==r.host?{gitlabUrl:`https://${r.host}`,gitlabUrlReason:"the git remote"}:{}}let s=["node_modules","vendor","dist","build"];async function findInfrastructure(e,t,r){let i=await e.list(t),n=i.filter(({kind:e})=>"file"===e).map(({name:e})=>e);if(n.some(e=>/^Pulumi\.ya?ml$/.test(e)))return{kind:"pulumi",directory:t};if(n.includes("cdk.json"))return{kind:"cdk",directory:t};if(n.some(e=>e.endsWith(".tf")))return{kind:"terraform",directory:t};if(0!==r)for(let n of i.filter(({name:e,kind:t})=>"directory"===t&&!s.includes(e)).filter(({name:e})=>/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(e)).map(({name:e})=>"."===t?e:`${t}/${e}`).sort()){let t=await findInfrastructure(e,n,r-1);if(void 0!==t)return t}}function renderStarter(e){let{gitlabUrl:t="FILL_IN",infrastructure:r}=e;return`# The stacks of runners that hosted-runner deploys. Fill in what says FILL_IN, then check:
#   hosted-runner validate
# All keys, their defaults and their variables: docs/configuration.md of hosted-runner-deploy.
# No secrets here: the token comes from the environment, HOSTED_RUNNER_GITLAB_TOKEN.
version: 1

# What every stack starts from, key by key.
defaults:
  gitlab:
    url: ${t}${"FILL_IN"===t?" # where GitLab is, such as https://gitlab.com":""}

  # The two copies of a stack. One is active, the other one is built afresh.
  # shards: [pink, purple]

  registration:
    scope: group # or: instance, or: project with project_id
    group_id: FILL_IN # the number below the group's name in GitLab

  infrastructure:
${renderInfrastructure(r)}
    # timeout: 1h

${renderCanary(e.ci)}
  # How the host of a runner manager is asked, through SSM Run Command.
  # host:
  #   kind: docker # or: systemd
  #   name: gitlab-runner

  # healthcheck:
  #   timeout: 15m

  # Without a limit a drain waits as long as the longest job, over as many pipelines as it takes.
  # drain:
  #   timeout: 6h

stacks:
  # The runner_name: part of the name of everything that belongs to the stack.
  linux:
    registration:
      tags: [FILL_IN] # what customers write in their jobs
      # run_untagged: false
`}function renderInfrastructure(e){if(void 0===e||"terraform"===e.kind)return renderTerraform(e?.directory);let[t,r,i]=proposeCommands(e);return`    # ${t}
    # Lists of words, no shell reads them; {shard} and {runner_name} are filled in.
    apply: ${r}
    destroy: ${i}
    # pass_environment: [] # names of variables that the commands need besides those of AWS`}function renderTerraform(e){let t=void 0===e?`# Terraform or OpenTofu builds a shard, from a root module for one shard: your own, or a copy of
    # examples/terraform/reference of hosted-runner-deploy. Commands of your own: docs/configuration.md.`:`# Found Terraform in ${e}: a root module for one shard, with the variables shard and runner_name.`;return`    ${t}
    driver: terraform
    directory: ${e??"FILL_IN # such as infrastructure"}
    # A state for each shard: a workspace, made where it is missing; or backend_config.
    workspace: "{runner_name}-{shard}"
    # binary: tofu
    # var_files: ["{runner_name}.tfvars"]`}function proposeCommands({kind:e,directory:t}){return"pulumi"===e?[`Found Pulumi in ${t}: one Pulumi stack for each shard.`,`[pulumi, up, --yes, --cwd, ${t}, --stack, "{runner_name}-{shard}"]`,`[pulumi, destroy, --yes, --cwd, ${t}, --stack, "{runner_name}-{shard}"]`]:[`Found the CDK in ${t}: one CDK stack for each shard.`,'[npx, cdk, deploy, --require-approval, never, "{runner_name}-{shard}"]',`[npx, cdk, destroy, --force, "{runner_name}-{shard}"]${"."===t?"":`
    working_directory: ${t}`}`]}function renderCanary(e){return"gitlab"===e?`  # The job that proves the candidate: a visible one of the same pipeline.
  # canary:
  #   kind: job
`:`  # The job that proves the candidate. From GitHub it runs in a GitLab project of its own.
  canary:
    kind: project
    project: FILL_IN # its path, such as acme/runner-canary
`}function renderSnippet(e){return"gitlab"===e?u:d}let u=`include:
  - component: $CI_SERVER_FQDN/FILL_IN/hosted-runner-deploy/deploy@FILL_IN # where this project is on your GitLab, at its release
    inputs:
      runner_name: linux
      runner_tags: [FILL_IN] # of a runner that is not of this stack
`,d=`name: hosted-runner-deploy
on: workflow_dispatch
permissions:
  contents: read
  actions: read
  id-token: write
jobs:
  linux:
    uses: FILL_IN/hosted-runner-deploy/.github/workflows/hosted-runner-deploy.yml@FILL_IN
    with:
      runner_name: linux
      aws_region: FILL_IN
      runs_on: '["self-hosted", "FILL_IN"]'
    secrets:
      gitlab_token: $\{{ secrets.HOSTED_RUNNER_GITLAB_TOKEN }}
`;function renderSubjects({projectPath:e,gitHubIds:t}){let r=e??"FILL_IN/FILL_IN",[i="",...n]=r.split("/"),{owner:o,repository:a}=t??{owner:"ID",repository:"ID"};return["The trust policy of the role on AWS names the jobs' subject in both forms, of which one is yours:","",`repo:${r}:ref:refs/heads/main`,`repo:${i}@${o}/${n.join("/")}@${a}:ref:refs/heads/main`,"",void 0===t?`The ids: gh api repos/${r} --jq '"\\(.owner.id) \\(.id)"'. The whole policy: docs/github.md, "The role on AWS".`:'The whole policy: docs/github.md, "The role on AWS".']}async function initialise(e,{folder:t,environment:r,write:s}){let u=e.config??(r.HOSTED_RUNNER_CONFIG||i.defaultPath),d=await exploreRepository({folder:t,environment:r,ci:e.ci}),c=renderStarter(d);if(!await t.write({path:u,text:c,overwrite:e.force}).catch(e=>{throw(0,o.Cm)((0,n.g)(u),(0,a.u)(e))}))throw(0,o.hR)(u);return s(`${report({path:u,text:c,repository:d}).join("\n")}
`),0}function report({path:e,text:t,repository:r}){let{ci:n}=r,o="gitlab"===n?".gitlab-ci.yml":".github/workflows/hosted-runner-deploy.yml";return[`✔ Wrote ${e}.`,...findings(r).map(e=>`  ${e}`),"","Still to fill in:",...placesToFill(t).map(({line:t,content:r})=>`  ${e}:${t}  ${r}`),`Then check it: hosted-runner validate${e===i.defaultPath?"":` --config ${e}`}`,"",`For ${o}, with HOSTED_RUNNER_GITLAB_TOKEN as a masked variable or secret:`,"",renderSnippet(n).trimEnd(),..."github"===n?["",...renderSubjects(r)]:[]]}function findings(e){let{ci:t,ciReason:r,gitlabUrl:i,gitlabUrlReason:n,projectPath:o,infrastructure:a}=e;return[`CI: ${"gitlab"===t?"GitLab":"GitHub"}, because ${r}${void 0===o?"":` (${o})`}`,void 0===i?"GitLab: not found out":`GitLab: ${i}, by ${n}`,void 0===a?"Infrastructure: found no *.tf, Pulumi.yaml or cdk.json":`Infrastructure: ${a.kind} in ${a.directory}`]}function placesToFill(e){return e.split("\n").map((e,t)=>({line:t+1,content:e.trim()})).filter(({content:e})=>!e.startsWith("#")&&e.includes("FILL_IN"))}}};
