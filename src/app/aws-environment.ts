import type { ProfileFile } from '../adapters/aws/profiles.ts';
import { inShell } from '../domain/text/shell-quoting.ts';
import { printable, show } from '../domain/text/show.ts';
import { suggest } from '../domain/text/suggestion.ts';
import { badUsage } from '../errors/input-errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface AwsEnvironment {
  readonly environment: Environment;
  /** Returns undefined if the file does not exist; rejects with a `code`. */
  readonly readFile: (path: string) => Promise<string | undefined>;
  /** Returns the SDK's region if AWS_REGION is absent. */
  readonly findRegion: () => Promise<string | undefined>;
  /** `aws.region` of each configured stack. */
  readonly regions: readonly (string | undefined)[];
}

/**
 * Refuses AWS settings that the SDK would reject only after other systems were queried.
 * @throws DeployError `BadUsage`
 */
export async function refuseAwsEnvironment(given: AwsEnvironment): Promise<void> {
  refuseRegionOfVariable(given);
  await refuseProfile(given);
  if (given.environment['AWS_REGION'] === undefined) await refuseFoundRegion(given);
}

/**
 * Refuses an invalid region, which the SDK makes part of its host names. The SDK also accepts an
 * empty region and a zone.
 */
function refuseRegionOfVariable({ environment, regions }: AwsEnvironment): void {
  const text = environment['AWS_REGION'];
  if (text === undefined || isRegion(text)) return;
  const meant = text.trim().toLowerCase().replace(zone, '$1');
  throw badUsage({
    what: `AWS_REGION ${show(text)} is not a region of AWS.`,
    why: regionIsNamed,
    fix: [nameRegion(meant, environment, regions)],
  });
}

async function refuseFoundRegion(given: AwsEnvironment): Promise<void> {
  const { environment, regions, findRegion } = given;
  const found = await findRegion();
  if (found !== undefined && isRegion(found)) return;
  const profile = `the profile ${show(environment['AWS_PROFILE'] || 'default')} of the AWS configuration`;
  if (found !== undefined)
    throw badUsage({
      what: `The region ${show(found)} of ${profile} is not a region of AWS.`,
      why: regionIsNamed,
      fix: [nameRegion('', environment, regions)],
    });
  const other = environment['AWS_DEFAULT_REGION'] ? ' AWS_DEFAULT_REGION is not used.' : '';
  throw badUsage({
    what: 'No AWS region is set.',
    why: `A stack uses one region. Neither AWS_REGION, nor ${profile}, nor the metadata of an instance names it.${other}`,
    fix: [nameRegion('', environment, regions)],
  });
}

const regionIsNamed =
  'A region has a name such as eu-west-1: lower case, without the letter of a zone.';

function nameRegion(meant: string, environment: Environment, regions: AwsEnvironment['regions']) {
  const configured = new Set(regions.filter((one) => one !== undefined));
  const [only = ''] = configured.size === 1 ? configured : [];
  const likely = [meant, only, environment['AWS_DEFAULT_REGION'] ?? ''].find(isRegion);
  return inShell`Set the region of the stack: export AWS_REGION=${likely ?? 'eu-west-1'}`;
}

const zone = /(-\d+)[a-z]$/;

function isRegion(text: string): boolean {
  return /^[a-z0-9]+(?:-[a-z0-9]+)+$/.test(text) && !zone.test(text);
}

/**
 * Refuses an unknown profile. The SDK would try all other sources of credentials and then report
 * that it found none.
 */
async function refuseProfile({ environment, readFile }: AwsEnvironment): Promise<void> {
  const profile = environment['AWS_PROFILE'] ?? '';
  // The SDK accepts `default` without an entry. A role of the action needs no profile.
  if (profile === '' || profile === 'default') return;
  if ((environment['HOSTED_RUNNER_AWS_ROLE'] ?? '') !== '') return;
  const { readProfileFiles } = await import('../adapters/aws/profiles.ts');
  const files = await readProfileFiles(environment, readFile);
  const names = files.flatMap(({ content }) => (content.kind === 'profiles' ? content.names : []));
  if (names.includes(profile)) return;
  // A pipe returns its content only once, and the SDK reads it, so its content is unknown here.
  if (files.some(({ content }) => content.kind === 'unreadable' && !/^E[A-Z]+$/.test(content.code)))
    return;
  const bare = files.find(
    ({ content }) => content.kind === 'profiles' && content.bare.includes(profile),
  );
  throw badUsage({
    what: `AWS_PROFILE ${show(profile)} is not a profile on this machine.`,
    why: `Searched in ${files.map(describeFile).join(', and in ')}.`,
    fix: [
      bare === undefined ? nameProfile(profile, names) : nameSection(profile, bare.path),
      'Without a profile: unset AWS_PROFILE',
    ],
  });
}

function nameProfile(profile: string, names: readonly string[]): string {
  const meant = suggest(profile, names);
  return meant === undefined
    ? inShell`Create it: aws configure --profile ${profile}`
    : inShell`Did you mean: export AWS_PROFILE=${meant}`;
}

function nameSection(profile: string, path: string): string {
  const name = printable(profile);
  const quoted = /\s/.test(name) ? `"${name}"` : name;
  return `Begin its section in ${printable(path)} with [profile ${quoted}] instead of [${name}].`;
}

/** More names would hide the path of the next file. */
const mostNames = 8;

function describeFile({ path, content }: ProfileFile): string {
  const shown = printable(path);
  if (content.kind === 'absent') return `${shown}, which does not exist`;
  if (content.kind !== 'profiles') return `${shown}, which cannot be read (${content.code})`;
  const names = content.names.map(printable);
  if (names.length === 0) return `${shown}, which has none`;
  const listed = names.slice(0, mostNames).join(', ');
  const more = names.length - mostNames;
  return `${shown}, which has ${listed}${more > 0 ? ` and ${more} more` : ''}`;
}
