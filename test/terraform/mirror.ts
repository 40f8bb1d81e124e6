import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from '@jest/globals';

const provider = 'registry.terraform.io/hashicorp/aws';

/** Returns a folder of provider plugins: `TF_PLUGIN_MIRROR=…`, or one of the usual places. */
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

/**
 * Defines a suite that needs AWS's own provider. Without it, the suite is skipped with a note in
 * its name.
 */
export function describeWithMirror(name: string, body: (mirror: string) => void): void {
  const mirror = findMirror();
  const missing = mirror === undefined ? ' (not found: a plugin mirror)' : '';
  (mirror === undefined ? describe.skip : describe)(`${name}${missing}`, () => body(mirror ?? ''));
}

/** Writes a Terraform CLI configuration that installs only from the mirror. */
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
