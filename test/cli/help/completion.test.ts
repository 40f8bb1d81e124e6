import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { type Shell, shells } from '../../../src/cli/arguments.ts';
import { commandNames, commandTable } from '../../../src/cli/commands/table.ts';
import { writeCompletion } from '../../../src/cli/help/completion.ts';

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

/** What a script offers for the first word. */
function firstWords(shell: Shell, script: string): string[] {
  if (shell === 'fish') {
    const offering = / -n __fish_use_subcommand (?:-f -a (\S+)|-l (\S+))/g;
    return [...script.matchAll(offering)].map(([, word, flag]) => word ?? `--${flag}`);
  }
  if (shell === 'bash') return /compgen -W '([^']*)'/.exec(script)?.[1]?.split(' ') ?? [];
  const list = /^ {4}words_known=\((.*)\)$/m.exec(script)?.[1] ?? '';
  return [...list.matchAll(/'([a-z-]+):/g)].map(([, word = '']) => word);
}

/** What bash itself offers for the last of these words. */
async function offered(...words: string[]): Promise<string[]> {
  const line = words.map((word) => `'${word}'`).join(' ');
  const script = `${await scriptOf('bash')}
COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _hosted_runner; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((word) => word !== '');
}

describe('completion', () => {
  test.each(shells)('of %s knows every command and each of its options', async (shell) => {
    const script = await scriptOf(shell);
    for (const name of commandNames) expect(firstWords(shell, script)).toContain(name);
    for (const { options } of commandTable) {
      for (const { flags } of options) {
        const [flag = ''] = flags.split(' ');
        expect(script).toContain(shell === 'fish' ? `-l ${flag.slice(2)}` : flag);
      }
    }
  });

  test.each(shells)('of %s knows what of the program itself can be typed first', async (shell) => {
    const words = firstWords(shell, await scriptOf(shell));
    expect(words).toEqual(expect.arrayContaining(['--version', '--help']));
  });

  test('in zsh and fish offers the help of each command', async () => {
    const zsh = await scriptOf('zsh');
    expect(zsh).toMatch(/^ {4}help\) words_known=\(.*'status:.*'--all:/m);
    expect(zsh).toMatch(/^ {4}status\) words_known=\(.*'--help:/m);
    const fish = await scriptOf('fish');
    expect(fish).toMatch(/ -n '__fish_seen_subcommand_from help' -f -a status /);
    expect(fish).toMatch(/ -n '__fish_seen_subcommand_from help' -l all /);
    expect(fish).toMatch(/ -n '__fish_seen_subcommand_from status' -l help /);
  });

  test('in zsh offers files, not options, behind an option that takes one', async () => {
    const script = await scriptOf('zsh');
    const [, options = ''] = /^ {4}(\S+)\) _files; return ;;$/m.exec(script) ?? [];
    expect(options.split('|')).toEqual(expect.arrayContaining(['status:--config', 'demo:--json']));
    expect(options.split('|')).not.toContain('status:--json');
  });

  test('in bash offers commands, options and their values', async () => {
    expect(await offered('hosted-runner', 'pro')).toEqual(['provision', 'promote']);
    expect(await offered('hosted-runner', 'provision', '--un')).toEqual(['--until']);
    expect(await offered('hosted-runner', 'provision', '--until', '')).toEqual([
      'healthy',
      'promoted',
    ]);
    expect(await offered('hosted-runner', 'sandbox', 'ap')).toEqual(['apply']);
    expect(await offered('hosted-runner', 'completion', '')).toContain('zsh');
    expect(await offered('hosted-runner', '--')).toEqual(['--version', '--help']);
    expect(await offered('hosted-runner', 'help', '--')).toEqual(['--all']);
  });
});
