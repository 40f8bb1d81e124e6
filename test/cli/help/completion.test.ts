import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Shell, shells } from '../../../src/cli/arguments.ts';
import { commandNames, commandTable } from '../../../src/cli/commands/command-table.ts';
import { writeCompletion } from '../../../src/cli/help/completion.ts';
import { root } from '../../support/program.ts';
import { describeWithTools } from '../../support/tools.ts';

async function scriptOf(shell: Shell): Promise<string> {
  let text = '';
  await writeCompletion(
    { shell },
    {
      write: (part) => {
        text += part;
      },
    },
  );
  return text;
}

/** Lists the suggestions of a completion script for the first word. */
function firstWords(shell: Shell, script: string): string[] {
  if (shell === 'fish') {
    const offering = / -n __hosted_runner_is (?:-f -a (\S+)|-l (\S+))/g;
    return [...script.matchAll(offering)].map(([, word, flag]) => word ?? `--${flag}`);
  }
  if (shell === 'bash') return /compgen -W '([^']*)'/.exec(script)?.[1]?.split(' ') ?? [];
  const list = /^ {4}words_known=\((.*)\)$/m.exec(script)?.[1] ?? '';
  return [...list.matchAll(/'([a-z-]+):/g)].map(([, word = '']) => word);
}

/** Lists bash's own suggestions for the last of these words. */
async function offered(...words: string[]): Promise<string[]> {
  const line = words.map((word) => `'${word}'`).join(' ');
  const script = `${await scriptOf('bash')}
COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _hosted_runner; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((word) => word !== '');
}

describe('shell completion', () => {
  test.each(shells)('offers, in %s, every command and each of its options', async (shell) => {
    const script = await scriptOf(shell);
    for (const name of commandNames) expect(firstWords(shell, script)).toContain(name);
    for (const { options } of commandTable) {
      for (const { flags } of options) {
        const [flag = ''] = flags.split(' ');
        expect(script).toContain(shell === 'fish' ? `-l ${flag.slice(2)}` : flag);
      }
    }
  });

  test.each(shells)('offers, in %s, the program’s own first words', async (shell) => {
    const words = firstWords(shell, await scriptOf(shell));
    expect(words).toEqual(expect.arrayContaining(['--version', '--help']));
  });

  test('offers the help of each command in zsh and fish', async () => {
    const zsh = await scriptOf('zsh');
    expect(zsh).toMatch(/^ {4}help\) words_known=\(.*'status:.*'--all:/m);
    expect(zsh).toMatch(/^ {4}status\) words_known=\(.*'--help:/m);
    const fish = await scriptOf('fish');
    expect(fish).toMatch(/ -n '__hosted_runner_is help' -f -a status /);
    expect(fish).toMatch(/ -n '__hosted_runner_is help' -l all /);
    expect(fish).toMatch(/ -n '__hosted_runner_is status' -l help /);
  });

  test('offers files, not options, after a file option in zsh', async () => {
    const script = await scriptOf('zsh');
    const [, options = ''] = /^ {4}(\S+)\) _files; return ;;$/m.exec(script) ?? [];
    expect(options.split('|')).toEqual(expect.arrayContaining(['status:--config', 'demo:--json']));
    expect(options.split('|')).not.toContain('status:--json');
  });

  test('offers commands, options and their values in bash', async () => {
    expect(await offered('hosted-runner', 'pro')).toEqual(['provision', 'promote']);
    expect(await offered('hosted-runner', 'provision', '--un')).toEqual(['--until']);
    expect(await offered('hosted-runner', 'provision', '--until', '')).toEqual([
      'healthy',
      'promoted',
    ]);
    expect(await offered('hosted-runner', 'sandbox', 'ap')).toEqual(['apply']);
    expect(await offered('hosted-runner', 'completion', '')).toContain('zsh');
    expect(await offered('hosted-runner', '--')).toEqual(['--version', '--help', '--no-color']);
    expect(await offered('hosted-runner', 'help', '--')).toEqual(['--all']);
  });
});

/** Incomplete command lines, with a suggestion that must exist and one that must not. */
const offers: readonly (readonly [string, readonly string[], string?])[] = [
  ['hosted-runner pro', ['provision', 'promote'], 'status'],
  ['hosted-runner --no-color pro', ['provision', 'promote'], 'status'],
  ['hosted-runner --config a.yml --no-color pro', ['provision', 'promote'], 'status'],
  ['hosted-runner provision --un', ['--until'], '--help'],
  ['hosted-runner --runner status provision --un', ['--until'], '--watch'],
  ['hosted-runner --plain provision --until ', ['healthy', 'promoted'], 'status'],
  ['hosted-runner sandbox ap', ['apply'], 'destroy'],
  ['hosted-runner completion ', ['bash', 'zsh', 'fish'], 'status'],
  ['hosted-runner help stat', ['status'], 'provision'],
  ['hosted-runner help --', ['--all'], '--config'],
  ['hosted-runner --', ['--version', '--help', '--no-color'], '--runner'],
  ['hosted-runner status --config package.j', ['package.json'], '--runner'],
  ['hosted-runner --config package.j', ['package.json'], 'status'],
];

function expectOffers(found: readonly string[], having: readonly string[], not = '') {
  expect(found).toEqual(expect.arrayContaining([...having]));
  expect(found).not.toContain(not);
}

describeWithTools({ name: 'completion in a running fish', needs: ['fish'] }, (tool) => {
  test.each(offers)('bash completes %j', async (line, having, not) => {
    const { stdout, stderr } = spawnSync(
      tool('fish'),
      ['--no-config', '-c', `${await scriptOf('fish')}\ncomplete -C $argv[1]`, line],
      { encoding: 'utf8', cwd: root, timeout: 60_000 },
    );
    expect(stderr).toBe('');
    const found = stdout.split('\n').map((row) => row.split('\t')[0] ?? '');
    expectOffers(found, having, not);
  });
});

/** Types the line in a zsh with a pseudo-terminal. Each match goes through a named pipe. */
const zshTypes = `
zmodload zsh/zpty
zpty typist zsh -f -i
zpty -w typist "source $1/setup.zsh"
exec 3<>$1/offers
read -r -t 20 -u 3 ready || exit 1
zpty -w -n typist "$2"$'\\t'
while read -r -t 20 -u 3 match && [[ $match != end ]]; do print -r -- $match; done
`;
const zshSetup = (folder: string) => `
PROMPT=
autoload -U compinit && compinit -D -u
zmodload zsh/zle
source ${folder}/completion.zsh
exec 4>${folder}/offers
bindkey '^I' complete-word
zstyle ':completion:*' list-grouped false
compadd() {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  local -a hits
  builtin compadd -O hits "$@"
  print -r -l -u 4 -- $hits
  builtin compadd "$@"
}
finish() { print -u 4 end }
comppostfuncs=(finish)
print -u 4 ready
`;

describeWithTools({ name: 'completion in a running zsh', needs: ['zsh'] }, (tool) => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'completion-'));
    writeFileSync(join(folder, 'completion.zsh'), await scriptOf('zsh'));
    writeFileSync(join(folder, 'setup.zsh'), zshSetup(folder));
    spawnSync('mkfifo', [join(folder, 'offers')]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(offers)('fish completes %j', (line, having, not) => {
    const { stdout } = spawnSync(tool('zsh'), ['-f', '-c', zshTypes, 'zsh', folder, line], {
      encoding: 'utf8',
      cwd: root,
      timeout: 60_000,
    });
    expectOffers(stdout.split('\n'), having, not);
  });
});
