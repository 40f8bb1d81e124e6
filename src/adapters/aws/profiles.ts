import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** File in which AWS's own tools find profiles. */
export interface ProfileFile {
  readonly path: string;
  readonly content:
    | {
        readonly kind: 'profiles';
        readonly names: readonly string[];
        /**
         * Sections of the config file without the word `profile` in the head. AWS ignores them.
         */
        readonly bare: readonly string[];
      }
    | { readonly kind: 'absent' }
    | { readonly kind: 'unreadable'; readonly code: string };
}

/**
 * Reads both files with their profile names, including profiles without a setting.
 * @param readFile undefined if there is no such file; rejects with a `code`
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/file-location.html
 */
export async function readProfileFiles(
  environment: Environment,
  readFile: (path: string) => Promise<string | undefined>,
): Promise<readonly ProfileFile[]> {
  const home = environment['HOME'] || environment['USERPROFILE'] || homedir();
  const expand = (path: string) => path.replace(/^~(?=\/)/, home);
  const config = environment['AWS_CONFIG_FILE'] || join(home, '.aws', 'config');
  const credentials =
    environment['AWS_SHARED_CREDENTIALS_FILE'] || join(home, '.aws', 'credentials');
  return Promise.all([
    read(expand(config), readFile, profilesIn),
    read(expand(credentials), readFile, credentialsIn),
  ]);
}

type Names = Omit<Extract<ProfileFile['content'], { readonly kind: 'profiles' }>, 'kind'>;

async function read(
  path: string,
  readFile: (path: string) => Promise<string | undefined>,
  namesIn: (text: string) => Names,
): Promise<ProfileFile> {
  try {
    const text = await readFile(path);
    if (text === undefined) return { path, content: { kind: 'absent' } };
    return { path, content: { kind: 'profiles', ...namesIn(text) } };
  } catch (error) {
    const { code } = error as { code?: unknown };
    // The read was cancelled.
    if (code === undefined) throw error;
    return { path, content: { kind: 'unreadable', code: String(code) } };
  }
}

const profileLabel = /^profile\s+/;

/** Reads `[profile linux]`; only `[default]` needs no such word. */
function profilesIn(text: string): Names {
  const sections = sectionsIn(text);
  const isOne = (name: string) => profileLabel.test(name) || name === 'default';
  return {
    names: sections.filter(isOne).map(nameOf),
    bare: sections.filter((name) => !isOne(name)).map(nameOf),
  };
}

/** Reads `[linux]`. */
function credentialsIn(text: string): Names {
  return { names: sectionsIn(text).map(nameOf), bare: [] };
}

function sectionsIn(text: string): string[] {
  return [...text.matchAll(/^[ \t]*\[([^\]\n]+)\]/gm)]
    .map(([, name = '']) => name.trim())
    .filter((name) => !/^(?:sso-session|services)\s/.test(name));
}

function nameOf(section: string): string {
  return section.replace(profileLabel, '').replace(/^(["'])(.*)\1$/, '$2');
}
