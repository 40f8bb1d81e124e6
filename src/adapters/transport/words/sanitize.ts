const escapes =
  /\x1b\[[0-?]*[ -/]*[@-~]|\x9b[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c|$)|\x1b[ -/]*[0-~]?/g;
const sections = /section_(?:start|end):\d+:[\w.-]+(?:\[[^[\]\r\n]*\])?\r?/g;
// GitHub's runner trims all Unicode spaces of a line. The text up to the next space or `::` is the
// command. `##[name]` is a command at any position. (actions/runner,
// src/Runner.Common/ActionCommand.cs)
const commands = /^(?:[^\S\n]*::[^\s:]+(?:[^\S\n][^\n]*?)?::)+|##\[/gm;
// Characters that move, hide or reorder text, or are invisible, except newline and tab. Single
// surrogates are included: two of them may combine into an invisible character.
const invisible =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufff9-\ufffb\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Limit of rounds: the rest may form a new marker, as in `:` + `##[` + `:add-mask::`. Only an
 * attack nests deeper.
 */
const mostRounds = 8;

/**
 * Makes another system's text safe for a CI log or a terminal, with at most `maxLength` characters.
 */
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

/**
 * Breaks markers by inserting a space, which forms no new marker. Removing them could take
 * unlimited rounds.
 */
function brokenMarkers(text: string): string {
  return text
    .replace(/#(?=#\[)/g, '# ')
    .replace(/:(?=:)/g, ': ')
    .replace(/section_(?:start|end)(?=:)/g, '$& ');
}

/** Returns the sanitized text on one line. */
export function sanitizeLine(text: string, maxLength: number): string {
  const line = sanitize(text, Number.POSITIVE_INFINITY).replace(/\s+/g, ' ').trim();
  return sanitize(line, maxLength);
}

/**
 * Prepares a text for printing. It is redacted again after sanitizing, because removed characters
 * may have hidden a secret.
 */
export function presentable(text: string, redact: (text: string) => string): string {
  return redact(sanitize(redact(text), Number.POSITIVE_INFINITY));
}

function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const end = Math.max(0, maxLength - 1);
  return `${text.slice(0, end).replace(/[\ud800-\udbff]$/, '')}…`;
}
