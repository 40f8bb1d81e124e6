const escapes =
  /\x1b\[[0-?]*[ -/]*[@-~]|\x9b[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c|$)|\x1b[ -/]*[0-~]?/g;
const sections = /section_(?:start|end):\d+:[\w.-]+(?:\[[^[\]\r\n]*\])?\r?/g;
// GitHub's runner trims a line by all of Unicode's spaces; the word up to the next space or `::` is the
// command. `##[name]` is one anywhere. (actions/runner, src/Runner.Common/ActionCommand.cs)
const commands = /^(?:[^\S\n]*::[^\s:]+(?:[^\S\n][^\n]*?)?::)+|##\[/gm;
// Everything that moves, hides or reorders text, or is not seen at all; newline and tab stay. Halves of
// characters are a part: two of them that are joined may be one that is not seen.
const invisible =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufff9-\ufffb\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** What is left may form a new marker: `:` + `##[` + `:add-mask::`. Nobody but an attacker nests more. */
const mostRounds = 8;

/** Text of another system, made safe to print in a CI log or a terminal, at most `maxLength` long. */
export function sanitize(text: string, maxLength: number): string {
  let clean = text.replaceAll('\r\n', '\n').replace(escapes, '');
  clean = clean.replace(sections, '').replace(invisible, '');
  for (let round = 0, before = ''; before !== clean; round += 1) {
    before = clean;
    clean = round < mostRounds ? withoutMarkers(clean) : brokenMarkers(clean);
  }
  return cut(clean, maxLength);
}

function withoutMarkers(text: string): string {
  return text.replace(sections, '').replace(commands, '');
}

/** Taking out would go on for ever longer; what is put between forms nothing new. */
function brokenMarkers(text: string): string {
  return text
    .replace(/#(?=#\[)/g, '# ')
    .replace(/:(?=:)/g, ': ')
    .replace(/section_(?:start|end)(?=:)/g, '$& ');
}

/** The same on one line. */
export function sanitizeLine(text: string, maxLength: number): string {
  const line = sanitize(text, Number.POSITIVE_INFINITY).replace(/\s+/g, ' ').trim();
  return sanitize(line, maxLength);
}

/** What is printed as it stands, whoever wrote it: redacted once more, where a secret was hidden among what is taken out. */
export function presentable(text: string, redact: (text: string) => string): string {
  return redact(sanitize(redact(text), Number.POSITIVE_INFINITY));
}

function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const end = Math.max(0, maxLength - 1);
  return `${text.slice(0, end).replace(/[\ud800-\udbff]$/, '')}…`;
}
