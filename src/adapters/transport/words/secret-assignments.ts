import {
  passwordSuffixes,
  secretHeaders,
  secretNames,
  tokenSuffixes,
} from '../../../domain/text/secret-shapes.ts';

/**
 * Limit above the length of any secret. An unlimited loop would overflow the stack on a text of
 * some MB.
 */
export const longestValue = 1_000_000;

const anyOf = (...words: readonly string[]) => `(?:${words.join('|')})`;

/**
 * Excludes AWS resource names: `arn:…:secret:name` assigns nothing. It follows a word in patterns,
 * which makes it cheap.
 */
export const outsideArn = String.raw`(?<!\barn:aws[^\s"'=]{0,300})`;

// A backslash before a quote belongs to the quote. Otherwise the JSON around the value would break.
const character = String.raw`(?:[^\s"'\\&]|&(?![\w.-]{1,60}=)|\\(?:[^\s"']|(?=\s|$)))`;
const bare = String.raw`(?!\\[nrt]|[,;]|[)}\]]{1,10}(?:[\s"'\\,;]|$))${character}{1,${longestValue}}`;
/** Value with a digit and without a space: a word of a sentence is no token. */
const withDigit = String.raw`(?=${character}{0,100}\d)${character}{8,${longestValue}}`;

/** Excludes the closing quote of a JSON text, which JSON syntax follows. */
const opened = String.raw`(?!\s{0,100}(?:[,:]\s{0,100}["{[\dtfn-]|[}\]]\s{0,100}(?:[,}\]]|$)|$))`;
const quoted = [
  String.raw`(?<double>")${opened}(?:[^"\\\r\n]|\\.){1,${longestValue}}`,
  String.raw`(?<single>')${opened}(?:[^"'\\\r\n]|\\.){1,${longestValue}}`,
  String.raw`(?<escaped>\\["'])${opened}(?:[^"'\\\r\n]|\\{4}|\\{3}["']|\\{2}|\\[^"'\\\r\n]){1,${longestValue}}`,
  String.raw`(?<deep>\\{2,15}["'])${opened}(?:[^"'\\\r\n]|\\{1,15}(?!["'\\])){1,${longestValue}}`,
].join('|');

const valueEnd = String.raw`(?=[.,]?(?:[\s"'\\,;)}\]&]|$))`;
/** Words that state whether there is a secret, but are none. */
const verdicts =
  '(?:true|false|null|nil|none|undefined|absent|present|missing|required|optional|string|yes|no)';
const place = String.raw`[\w./-]{1,200}\.[a-z]{1,5}:\d{1,7}(?::\d{1,7})?`;
const notVerdict = String.raw`(?!\\{0,15}["']?(?:(?:${verdicts}|${place})${valueEnd}|arn:aws[a-z-]{0,20}:))`;
/**
 * Excludes such words only if the header's line ends after them: the rest of the line belongs to
 * the value.
 */
const notVerdictInHeader = String.raw`(?!\\{0,15}["']?\[?${verdicts}[.,)}\]]{0,5}[ \t]{0,100}(?:["'\\\r\n]|$))`;
/** Excludes a placeholder for the user, and a value that another program has masked. */
const placeholder = String.raw`(?!\\{0,15}["']?(?:\$[{(A-Z_]|[<(*…=]|\[MASKED))`;

const nameEnd = String.raw`\\{0,15}["']?`;
const blanks = String.raw`[ \t]{0,100}`;
/**
 * Colon, unless the name of another assignment follows. A name has only letters, a secret does not.
 */
const colon = String.raw`${blanks}:(?:[ \t]{1,100}(?![a-z_]{2,40}=\w)|[ \t]{0,100}\r?\n[ \t]{1,100}(?![a-z_]{2,40}(?:=\w|:\s))|(?!\s))`;
/**
 * Equals sign with blanks on both sides, on none, or before a quote. A single blank after the sign
 * precedes the next word.
 */
const equals = String.raw`(?:[ \t]{1,100}(?:=>|=(?![=>]))[ \t]|${blanks}(?:=>|=(?![=>]))(?:(?![ \t])|[ \t]{1,100}(?=\\{0,15}["'])))`;

// The name stays visible and shows which value was masked.
const assignments = [
  String.raw`(?<name>${anyOf(...secretHeaders)}${nameEnd}\s{0,100}[:=]\s{0,100}${notVerdictInHeader}(?:\[(?!MASKED\])\s{0,100})?)(?:${quoted}|[^\s"'\\](?:[^"'\\\r\n]|\\[^"'\r\n]){0,${longestValue}})`,
  `(?<name>${anyOf(...secretNames)}${outsideArn}${nameEnd}(?:${colon}|${equals})${notVerdict})(?:${quoted}|${bare})`,
  `(?<name>${anyOf(...passwordSuffixes, ...tokenSuffixes)}${nameEnd}${equals}${notVerdict}${placeholder})(?:${quoted}|${bare})`,
  String.raw`(?<name>${anyOf(...passwordSuffixes)}\\{0,15}["']\s{0,100}:\s{0,100}${notVerdict}${placeholder})(?:${quoted})`,
  `(?<name>${anyOf(...passwordSuffixes, ...tokenSuffixes)}${outsideArn}${nameEnd}${colon}${notVerdict}${placeholder}${nameEnd})${withDigit}`,
  String.raw`(?<name>--(?:[a-z0-9]{1,30}-){0,5}${anyOf(...passwordSuffixes, ...tokenSuffixes)} {1,20}${notVerdict}${nameEnd})(?=[^\s"']{0,100}[a-z0-9])(?!-)${character}{6,${longestValue}}`,
  String.raw`(?<name>\bbearer\s{1,100})${withDigit}`,
  // curl's `--user` and `--proxy-user`, also in their short forms (`-u`, `-U`).
  String.raw`(?<name>\s(?:-u|--user|--proxy-user)(?<=\bcurl\b[^\r\n]{0,300})[ =]?["']?[^\s:"']{1,200}:)${notVerdict}${placeholder}${character}{1,${longestValue}}`,
].map((pattern) => new RegExp(pattern, 'gi'));

const basic = new RegExp(`(\\bbasic\\s{1,100})([a-z0-9+/_-]{8,${longestValue}}={0,2})`, 'gi');

/** Masks each value after the name of a secret. */
export function maskAssignments(text: string, mask: string): string {
  let clean = text;
  for (const pattern of assignments)
    clean = clean.replace(pattern, (...found) => {
      const { name, double, single, escaped, deep } = found.at(-1) as Record<string, string>;
      return `${name}${double ?? single ?? escaped ?? deep ?? ''}${mask}`;
    });
  return clean.replace(basic, (all, scheme: string, value: string) =>
    isUserAndPassword(Buffer.from(value, 'base64').toString('utf8')) ? scheme + mask : all,
  );
}

function isUserAndPassword(text: string): boolean {
  return /^[^\p{Cc}\ufffd:]*:[^\p{Cc}]*$/u.test(text);
}
