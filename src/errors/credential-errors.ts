import { renewalOf } from '../domain/text/credential-renewal.ts';
import { inShell } from '../domain/text/shell-quoting.ts';
import type { PortFailure, RefusedDocument, RefusedRole, TokenClaims } from '../ports/failure.ts';
import { DeployError } from './deploy-error.ts';
import { clockFix } from './port-fixes.ts';

const longer =
  'To prevent this, use credentials that renew themselves: `aws_role` of the GitHub Action, `aws_role_arn` of the GitLab templates (docs/use/permissions.md#credentials-that-expire).';

/** Stops a run before its next change. The next run has its own credentials. */
export function credentialsEnd(facts: {
  runner: string;
  stage: string;
  left: string;
}): DeployError {
  const { runner, stage, left } = facts;
  return new DeployError({
    code: 'CredentialsEnded',
    what: `The AWS credentials ${left} and could not be renewed; nothing more was started.`,
    why: ['An operation that starts now may be interrupted.'],
    fix: [{ text: 'Resume with new credentials', again: stage, runner }, longer],
  });
}

/** Credentials that AWS accepted earlier in this run. */
export function credentialsEnded(failure: PortFailure, again: string): DeployError {
  return new DeployError({
    code: 'CredentialsEnded',
    what: `${failure.source}: the credentials have expired.`,
    why: [`"${failure.detail}"`],
    fix: [`Resume with new credentials: ${again}`, longer],
  });
}

/**
 * Credentials that one system does not accept. If none were given, nothing was touched: every other
 * query needs them.
 */
export function credentialsRefused(failure: PortFailure, again: string): DeployError {
  const { source, detail, credentials: state, ground } = failure;
  const { name, renew } = renewalOf(source);
  const why = [`"${detail}"`];
  if (state === 'absent')
    return new DeployError({
      code: 'CredentialsMissing',
      what: `${source}: the environment has no AWS credentials; nothing was touched.`,
      why,
      now: 'No request was sent to AWS.',
      fix: [
        'Set AWS_PROFILE or AWS keys; in GitLab CI the input aws_role_arn, and on GitHub the input aws_role.',
        `Then run it again: ${again}`,
      ],
    });
  const isPlural = name.endsWith('s');
  const phrases = {
    expired: `${name} ${isPlural ? 'have' : 'has'} expired`,
    revoked: `${name} ${isPlural ? 'were' : 'was'} revoked`,
  };
  const phrase =
    state === undefined ? `${name} ${isPlural ? 'were' : 'was'} not accepted` : phrases[state];
  return new DeployError({
    code: 'CredentialsRefused',
    what: `${source}: ${ground?.kind === 'clock_off' ? 'the time of the request was not accepted' : phrase}.`,
    why,
    fix: [...(clockFix(failure) ?? [`${renew}.`]), `Then run it again: ${again}`],
  });
}

/**
 * Refusal by STS: the job's credentials are valid, but AWS is not configured to grant them the
 * role.
 */
export function roleRefused(failure: PortFailure, role: RefusedRole, again: string): DeployError {
  const { arn, claims, ground } = role;
  const claimLines = ground === 'inactive_region' ? [] : describeClaims(claims);
  return new DeployError({
    code: 'RoleRefused',
    what: `AWS does not grant this job the role${arn === undefined ? '' : ` ${arn}`}.`,
    why: [`"${failure.detail}"`, ...claimLines],
    fix: [...fixesOf(role), `Then run it again: ${again}`],
  });
}

/**
 * Refusal by Systems Manager: a role that may send only this document cannot check a host
 * otherwise.
 */
export function checkDocumentRefused(
  failure: PortFailure,
  { name, runner }: RefusedDocument,
  again: string,
): DeployError {
  return new DeployError({
    code: 'CheckDocumentRefused',
    what: `Systems Manager did not run the document ${name} (host.document); no host was checked.`,
    why: [
      `"${failure.detail}"`,
      'The document must exist, and its content must be what check-document of this release prints for this configuration.',
    ],
    fix: [
      {
        text: "Write the document's content to a file",
        command: 'check-document',
        runner,
        more: '--output check-document.json',
      },
      inShell`Then update the document (if it does not exist, create it with aws ssm create-document --document-type Command): aws ssm update-document --name ${name} --document-version '$LATEST' --content file://check-document.json`,
      `Then run it again: ${again}`,
    ],
  });
}

function describeClaims(claims: TokenClaims | undefined): string[] {
  if (claims === undefined) return [];
  const { issuer, subject, audiences } = claims;
  const aud = audiences.length === 1 ? audiences[0] : audiences;
  return [
    `The identity token of this job has iss ${shown(issuer)}, sub ${shown(subject)}, aud ${shown(aud)}.`,
    ...formOfSubject(subject),
  ];
}

function shown(claim: string | readonly string[] | undefined): string {
  return claim === undefined || claim.length === 0 ? 'absent' : JSON.stringify(claim);
}

/**
 * Explains GitHub's two forms of sub: only repositories created or renamed since the date have ids
 * (https://docs.github.com/actions/reference/security/oidc).
 */
function formOfSubject(subject = ''): string[] {
  const [, owner, ownerId, name, nameId, rest] =
    /^repo:([^/@:]+)(@\d+)?\/([^/@:]+)(@\d+)?(:.*)$/.exec(subject) ?? [];
  if (owner === undefined) return [];
  const other = `repo:${owner}/${name}${rest}`;
  return [
    ownerId !== undefined && nameId !== undefined
      ? `For repositories that were created or renamed since 2026-07-15, sub contains the ids of owner and repository, so a policy with "${other}" does not match.`
      : `For this repository, sub contains no ids of owner and repository. Therefore, a policy with "repo:${owner}@ID/${name}@ID${rest}" does not match.`,
  ];
}

/**
 * Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_temp_enable-regions.html
 */
const activation =
  'Activate STS for this Region in the account: IAM console, Account settings. An opt-in Region has to be enabled for the account first.';

function fixesOf({ arn, claims, ground }: RefusedRole): string[] {
  if (ground === 'inactive_region') return [activation];
  const [, partition = 'aws', account = 'ACCOUNT'] =
    /^arn:([\w-]+):iam::(\d+):/.exec(arn ?? '') ?? [];
  const { issuer, subject, audiences: [audience] = [] } = claims ?? {};
  if (issuer === undefined || subject === undefined || audience === undefined)
    return [
      ...withoutClaims[ground],
      `In the trust policy of the role, allow this job: ${trustPages.any}.`,
    ];
  if (!usableIssuer.test(issuer))
    return [
      `Give the tokens an issuer that AWS accepts, with https and without a port: issuer ${shown(issuer)} cannot be an identity provider. GitLab takes the issuer from external_url or ci_id_tokens_issuer_url (in gitlab.yml: ci_id_tokens).`,
    ];
  const provider = issuer.replace(/^https:\/\//, '').replace(/\/$/, '');
  const providerArn = `arn:${partition}:iam::${account}:oidc-provider/${provider}`;
  const condition = JSON.stringify({
    StringEquals: { [`${provider}:aud`]: audience, [`${provider}:sub`]: subject },
  });
  // An organization on GitHub can choose the claims of sub.
  const isOfGitHub =
    /^repo(?:sitory_owner)?:/.test(subject) ||
    provider.startsWith('token.actions.githubusercontent.');
  const page = isOfGitHub ? trustPages.github : trustPages.gitlab;
  const ofProvider = {
    trust_policy: [],
    absent_provider: [
      inShell`Create the identity provider in the account of the role: aws iam create-open-id-connect-provider --url ${issuer} --client-id-list ${audience}`,
    ],
    absent_audience: [
      inShell`Add the audience to the identity provider: aws iam add-client-id-to-open-id-connect-provider --open-id-connect-provider-arn ${providerArn} --client-id ${audience}`,
    ],
  }[ground];
  return [
    ...ofProvider,
    `In the trust policy of the role, allow the provider ${providerArn} with "Condition": ${condition}. The provider must list this aud (${page}).`,
  ];
}

/**
 * Source: https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateOpenIDConnectProvider.html
 */
const usableIssuer = /^https:\/\/[^/:?#]+(?:\/[^?#]*)?$/;

const withoutClaims = {
  trust_policy: [],
  absent_provider: [
    "Create an identity provider for the token's issuer in the account of the role.",
  ],
  absent_audience: ['Add the audience of the token to the identity provider.'],
} as const;

const trustPages = {
  github: 'docs/use/github.md#the-role-on-aws',
  gitlab: 'docs/use/gitlab.md#aws-credentials',
  any: 'docs/use/github.md#the-role-on-aws, docs/use/gitlab.md#aws-credentials',
} as const;

export function tokenMissing({ malformed }: { malformed?: string } = {}): DeployError {
  return new DeployError({
    code: 'TokenMissing',
    what:
      malformed === undefined
        ? 'The environment has no GitLab token; nothing was touched.'
        : 'The GitLab token is malformed; nothing was touched.',
    why: [
      malformed === undefined
        ? 'Neither HOSTED_RUNNER_GITLAB_TOKEN nor GITLAB_TOKEN is set.'
        : `${malformed} contains spaces, line breaks or characters that no token has.`,
    ],
    now: 'No request was sent to GitLab or AWS.',
    fix: ['Set a token with the scope api: export HOSTED_RUNNER_GITLAB_TOKEN=…'],
  });
}

export function githubSecretMissing({
  variable,
  parameter,
}: {
  variable: string;
  parameter: string | undefined;
}): DeployError {
  return new DeployError({
    code: 'GitHubSecretMissing',
    what: 'There is no secret for GitHub; nothing was touched.',
    why: [
      parameter === undefined
        ? `${variable} is not set, and github.secret_parameter is not set.`
        : `Parameter Store has no parameter ${parameter} (github.secret_parameter).`,
    ],
    now: 'No request was sent to GitHub.',
    fix: [
      parameter === undefined
        ? inShell`Set the secret: export ${variable}=…`
        : inShell`Store the secret: aws ssm put-parameter --type SecureString --name ${parameter} --value …`,
    ],
  });
}
