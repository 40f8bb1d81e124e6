import type { Shell } from '../arguments.ts';
import { type CommandDefinition, flagOf, type OptionDefinition, takesValue } from '../command.ts';
import { ofHelp, ofProgram } from '../command-options.ts';
import { commandNames, commandTable } from '../commands/command-table.ts';
import type { CommandExit, CompletionOptions } from '../handler-types.ts';

const writers: Readonly<Record<Shell, () => string>> = { bash, zsh, fish };

/** Prints a completion script for the shell, generated from the table of commands. */
export async function writeCompletion(
  { shell }: CompletionOptions,
  { write }: { readonly write: (text: string) => void },
): Promise<CommandExit> {
  write(writers[shell]());
  return 0;
}

const shownCommands = commandTable.filter(({ isHidden }) => isHidden !== true);

function innerOf({ inner = [] }: CommandDefinition): readonly CommandDefinition[] {
  return inner.filter(({ isHidden }) => isHidden !== true);
}

function everyOption(command: CommandDefinition): readonly OptionDefinition[] {
  const options = [...command.options, ...innerOf(command).flatMap(everyOption)];
  return [...new Map(options.map((option) => [option.flags, option])).values()];
}

/** Lists the options with choices for each command, because the same flag may differ. */
function choicesOf(command: CommandDefinition): readonly OptionDefinition[] {
  return everyOption(command).filter(({ choices }) => choices !== undefined);
}

const helpPhrase = 'print the help of a command';
/** Options that may come before a command. */
const ofTheProgram: readonly OptionDefinition[] = [
  { flags: '--version', description: 'print the version' },
  { flags: '--help', description: 'print the help' },
  ...ofProgram,
];
const ofEvery: readonly OptionDefinition[] = [
  { flags: '--help', description: 'print the help of the command' },
];

/** Lists the flags that take a value, so the next word is no command. */
function takingValues(): readonly string[] {
  const options = shownCommands.flatMap(everyOption);
  const bare = options.filter((option) => !takesValue(option)).map(flagOf);
  const flags = options.filter(takesValue).map(flagOf);
  return [...new Set(flags)].filter((flag) => !bare.includes(flag));
}

/** Lists the options with a file by command: the same flag may take nothing in another command. */
function takingFiles(): readonly string[] {
  return shownCommands.flatMap((command) =>
    everyOption(command)
      .filter((option) => takesValue(option) && option.choices === undefined)
      .map((option) => `${command.name}:${flagOf(option)}`),
  );
}

function bash(): string {
  const cases = shownCommands.map((command) => {
    const { name } = command;
    const words = [
      ...(name === 'completion' ? Object.keys(writers) : []),
      ...innerOf(command).map((one) => one.name),
      ...[...everyOption(command), ...ofEvery].map(flagOf),
    ];
    return `    ${name}) words='${words.join(' ')}' ;;`;
  });
  const values = shownCommands.flatMap((command) =>
    choicesOf(command).map(
      (option) => `    ${command.name}:${flagOf(option)}) words='${option.choices?.join(' ')}' ;;`,
    ),
  );
  return `# bash completion for hosted-runner: source <(hosted-runner completion bash)
_hosted_runner() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} words= at=1
  COMPREPLY=()
  while [ "$at" -lt "$COMP_CWORD" ]; do
    case \${COMP_WORDS[at]} in
      ${takingValues().join('|')}) at=$((at + 2)) ;;
      -*) at=$((at + 1)) ;;
      *) break ;;
    esac
  done
  if [ "$at" -gt "$COMP_CWORD" ]; then return; fi
  if [ "$at" -eq "$COMP_CWORD" ]; then
    COMPREPLY=($(compgen -W '${[...commandNames, ...ofTheProgram.map(flagOf)].join(' ')}' -- "$current"))
    return
  fi
  case "\${COMP_WORDS[at]}:$previous" in
${values.join('\n')}
    ${takingFiles().join('|')}) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  [ -n "$words" ] || case \${COMP_WORDS[at]} in
${cases.join('\n')}
    help) words='${[...commandNames, ...ofHelp.map(flagOf)].join(' ')}' ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _hosted_runner hosted-runner
`;
}

/** Formats a word for zsh's _describe, in which a colon ends the word. */
function described(word: string, text: string): string {
  return `'${word}:${text.replaceAll("'", "'\\''")}'`;
}

function zsh(): string {
  const describedOptions = (options: readonly OptionDefinition[]) =>
    options.map((option) => described(flagOf(option), option.description));
  const commands = [
    ...shownCommands.map(({ name, phrase }) => described(name, phrase)),
    described('help', helpPhrase),
  ];
  const cases = shownCommands.map((command) => {
    const inner = innerOf(command).map(({ name, phrase }) => described(name, phrase));
    const options = describedOptions([...everyOption(command), ...ofEvery]);
    return `    ${command.name}) words_known=(${[...inner, ...options].join(' ')}) ;;`;
  });
  const values = shownCommands.flatMap((command) =>
    choicesOf(command).map(
      (option) =>
        `    ${command.name}:${flagOf(option)}) compadd ${option.choices?.join(' ')}; return ;;`,
    ),
  );
  return `#compdef hosted-runner
# zsh completion for hosted-runner: source <(hosted-runner completion zsh)
_hosted_runner() {
  local -a words_known
  local -i at=2
  while (( at < CURRENT )); do
    case $words[at] in
      ${takingValues().join('|')}) at+=2 ;;
      -*) at+=1 ;;
      *) break ;;
    esac
  done
  if (( at > CURRENT )); then _files; return; fi
  if (( at == CURRENT )); then
    words_known=(${[...commands, ...describedOptions(ofTheProgram)].join(' ')})
    _describe command words_known
    return
  fi
  case "$words[at]:$words[CURRENT-1]" in
${values.join('\n')}
    ${takingFiles().join('|')}) _files; return ;;
    completion:completion) compadd bash zsh fish; return ;;
  esac
  case $words[at] in
${cases.join('\n')}
    help) words_known=(${[...commands, ...describedOptions(ofHelp)].join(' ')}) ;;
  esac
  _describe option words_known || _files
}
compdef _hosted_runner hosted-runner
`;
}

/**
 * Returns a fish function that tests for this command, or for none. It fails while an option in
 * front of the command lacks its value.
 */
function fishCommand(): string {
  return `function __hosted_runner_is
  set -l words (commandline -opc)
  set -e words[1]
  while set -q words[1]
    switch $words[1]
      case ${takingValues().join(' ')}
        set -e words[1]
        set -q words[1]; or return 1
      case '-*'
      case '*'
        test "$words[1]" = "$argv[1]"
        return
    end
    set -e words[1]
  end
  not set -q argv[1]
end`;
}

function fish(): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const first = '-n __hosted_runner_is';
  const optionLine = (when: string, option: OptionDefinition) => {
    const { choices, description } = option;
    const listed = choices === undefined ? '' : ` -f -a ${quoted(choices.join(' '))}`;
    const value = takesValue(option) ? ` -r${listed}` : '';
    return `complete -c hosted-runner ${when} -l ${flagOf(option).slice(2)}${value} -d ${quoted(description)}`;
  };
  const word = (when: string, name: string, phrase: string) =>
    `complete -c hosted-runner ${when} -f -a ${name} -d ${quoted(phrase)}`;
  const lines = shownCommands.flatMap((command) => {
    const { name, phrase } = command;
    const within = `-n '__hosted_runner_is ${name}'`;
    return [
      word(first, name, phrase),
      ...innerOf(command).map((one) => word(within, one.name, one.phrase)),
      ...[...everyOption(command), ...ofEvery].map((option) => optionLine(within, option)),
    ];
  });
  const withinHelp = "-n '__hosted_runner_is help'";
  return [
    '# fish completion for hosted-runner: hosted-runner completion fish | source',
    fishCommand(),
    ...lines,
    "complete -c hosted-runner -n '__hosted_runner_is completion' -f -a 'bash zsh fish'",
    word(first, 'help', helpPhrase),
    ...ofTheProgram.map((option) => optionLine(first, option)),
    ...shownCommands.map(({ name, phrase }) => word(withinHelp, name, phrase)),
    ...ofHelp.map((option) => optionLine(withinHelp, option)),
    '',
  ].join('\n');
}
