import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from '@jest/globals';

const provider = 'registry.terraform.io/hashicorp/aws';

/** A folder of provider plugins: `TF_PLUGIN_MIRROR=…`, or one in the usual places. */
export function findMirror(): string | undefined {
  const given = process.env['TF_PLUGIN_MIRROR'];
  const usual = [
    join(homedir(), '.terraform.d/plugins'),
    '/usr/local/share/terraform/plugins',
    '/usr/share/terraform/plugins',
    ...below('/opt'),
  ];
  return (given ? [given] : usual).find((folder) => existsSync(join(folder, provider)));
}

/** What needs AWS's own provider; without one it is skipped, and its name says so. */
export function describeWithMirror(name: string, body: (mirror: string) => void): void {
  const mirror = findMirror();
  const missing = mirror === undefined ? ' (not found: a plugin mirror)' : '';
  (mirror === undefined ? describe.skip : describe)(`${name}${missing}`, () => body(mirror ?? ''));
}

/** A configuration of Terraform's command line that installs from the mirror and nowhere else. */
export function writeMirrorConfiguration(mirror: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'terraform-mirror-')), 'cli.tfrc');
  writeFileSync(
    file,
    `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(mirror)}\n  }\n}\n`,
  );
  return file;
}

function below(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
