import { defineProgram } from '../src/cli/command-parser.ts';
import type { Handlers } from '../src/cli/handler-types.ts';
import { version } from '../src/domain/project.ts';
import { quoted } from './quoted.ts';

/**
 * Renders src/cli/help/help-text.ts: the text of `hosted-runner --help`, which is then printed
 * without the parser.
 */
export function renderHelpFile(): string {
  const lines = helpOfProgram().split('\n');
  return `// Generated from the commands by \`npm run generate\`; edits here are lost.
export const helpText = [
${lines.map((line) => `  ${quoted(line)},`).join('\n')}
].join('\\n');
`;
}

function helpOfProgram(): string {
  let text = '';
  const program = defineProgram({
    version,
    handlers: {} as Handlers,
    environment: {},
    finish: () => {},
    write: (part) => {
      text += part;
    },
    writeError: () => {},
  });
  program.outputHelp();
  return text;
}
