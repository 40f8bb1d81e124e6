import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { type Shell, shells } from '../../../src/cli/arguments.ts';
import { commandTable } from '../../../src/cli/commands/table.ts';
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
    for (const { name, options } of commandTable) {
      expect(script).toContain(name);
      for (const { flags } of options) {
        const [flag = ''] = flags.split(' ');
        expect(script).toContain(shell === 'fish' ? `-l ${flag.slice(2)}` : flag);
      }
    }
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
  });
});
