import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** A file in which AWS's own tools look for profiles. */
export interface ProfileFile {
  readonly path: string;
  readonly content:
    | { readonly kind: 'profiles'; readonly names: readonly string[] }
    | { readonly kind: 'absent' }
    | { readonly kind: 'unreadable'; readonly code: string };
}

/**
 * Both files with the names that they have, also those of profiles without a setting.
 * @param readFile undefined where there is no such file; rejects with a `code`
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/file-location.html
 */
export async function readProfileFiles(
  environment: Environment,
  readFile: (path: string) => Promise<string | undefined>,
): Promise<readonly ProfileFile[]> {
  const home = environment['HOME'] || environment['USERPROFILE'] || homedir();
  const paths = [
    environment['AWS_CONFIG_FILE'] || join(home, '.aws', 'config'),
    environment['AWS_SHARED_CREDENTIALS_FILE'] || join(home, '.aws', 'credentials'),
  ];
  return Promise.all(paths.map((path) => read(path.replace(/^~(?=\/)/, home), readFile)));
}

async function read(
  path: string,
  readFile: (path: string) => Promise<string | undefined>,
): Promise<ProfileFile> {
  try {
    const text = await readFile(path);
    if (text === undefined) return { path, content: { kind: 'absent' } };
    return { path, content: { kind: 'profiles', names: namesIn(text) } };
  } catch (error) {
    const { code } = error as { code?: unknown };
    // Whoever reads was told to end.
    if (code === undefined) throw error;
    return { path, content: { kind: 'unreadable', code: String(code) } };
  }
}

/** `[profile linux]`, and in the file of credentials `[linux]`. */
function namesIn(text: string): string[] {
  const sections = [...text.matchAll(/^[ \t]*\[([^\]\n]+)\]/gm)].map(([, name = '']) =>
    name.trim(),
  );
  return sections
    .filter((name) => !/^(?:sso-session|services)\s/.test(name))
    .map((name) => name.replace(/^profile\s+/, '').replace(/^(["'])(.*)\1$/, '$2'));
}
