import { openPseudoTerminal } from '../pseudo-terminal/open.ts';

/** Answer to each prompt that contains the text. */
export type Answers = Readonly<Record<string, string>>;

/** Reader who types into an interactive shell at a terminal. */
export interface Typist {
  /**
   * Types a line, waits for its end, and answers its prompts. Returns the printed text.
   * @throws if the line fails
   */
  type(line: string, answers?: Answers): Promise<string>;
  close(): void;
}

/** Prompt of the shell, with the exit code of the line before. */
const prompt = '<shell $?> ';
const readyPrompt = /<shell (\d+)> $/;

export async function openTypist({
  python,
  ...place
}: {
  readonly python: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}): Promise<Typist> {
  const terminal = openPseudoTerminal({
    python,
    command: ['/bin/bash', '--norc', '--noprofile', '--noediting', '-i'],
    ...place,
    env: { ...place.env, PS1: prompt, TERM: 'dumb' },
    rows: 50,
    columns: 200,
    limitMs: 3_600_000,
  });
  // The shell ends with its last line, or never.
  terminal.ended.catch(() => undefined);
  const isAtPrompt = () => readyPrompt.test(terminal.drawn());
  await terminal.until('a shell', isAtPrompt);
  return {
    async type(line, answers = {}) {
      let read = terminal.drawn().length;
      const began = read;
      terminal.type(`${line}\n`);
      await terminal.until(`the end of ${line}`, () => {
        const unread = terminal.drawn().slice(read);
        const shown = Object.keys(answers).find((text) => unread.includes(text));
        if (shown === undefined) return unread.includes('\n') && isAtPrompt();
        read = terminal.drawn().length;
        terminal.type(`${answers[shown]}\n`);
        return false;
      });
      const text = terminal.drawn().slice(began).replaceAll('\r', '');
      const exitCode = readyPrompt.exec(text)?.[1];
      if (exitCode !== '0') throw new Error(`${line} ended with ${exitCode}:\n${text}`);
      return text.replace(/^.*\n/, '').replace(readyPrompt, '');
    },
    close: () => terminal.close(),
  };
}
