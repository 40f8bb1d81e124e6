import {
  passwordSuffixes,
  secretHeaders,
  secretNames,
  tokenSuffixes,
} from '../../../domain/text/secret-shapes.ts';

/** No secret is longer. A loop without an end overflows the engine's stack on a text of some MB. */
export const longestValue = 1_000_000;

const anyOf = (...words: readonly string[]) => `(?:${words.join('|')})`;

/** A resource name of AWS: `arn:…:secret:name` assigns nothing. Stands behind a word, where it costs little. */
export const outsideArn = String.raw`(?<!\barn:aws[^\s"'=]{0,300})`;

// A backslash before a quote belongs to the quote: without it, the JSON around the value is broken.
const character = String.raw`(?:[^\s"'\\&]|&(?![\w.-]{1,60}=)|\\(?:[^\s"']|(?=\s|$)))`;
const bare = String.raw`(?!\\[nrt]|[,;]|[)}\]]{1,10}(?:[\s"'\\,;]|$))${character}{1,${longestValue}}`;
/** A digit, and no space: a word of a sentence is no token. */
const telling = String.raw`(?=${character}{0,100}\d)${character}{8,${longestValue}}`;

/** A quote that ends a text of JSON is followed by what stands between two texts there. */
const opened = String.raw`(?!\s{0,100}(?:[,:]\s{0,100}["{[\dtfn-]|[}\]]\s{0,100}(?:[,}\]]|$)|$))`;
const quoted = [
  String.raw`(?<double>")${opened}(?:[^"\\\r\n]|\\.){1,${longestValue}}`,
  String.raw`(?<single>')${opened}(?:[^"'\\\r\n]|\\.){1,${longestValue}}`,
  String.raw`(?<escaped>\\["'])${opened}(?:[^"'\\\r\n]|\\{4}|\\{3}["']|\\{2}|\\[^"'\\\r\n]){1,${longestValue}}`,
  String.raw`(?<deep>\\{2,15}["'])${opened}(?:[^"'\\\r\n]|\\{1,15}(?!["'\\])){1,${longestValue}}`,
].join('|');

const valueEnd = String.raw`(?=[.,]?(?:[\s"'\\,;)}\]&]|$))`;
/** Words for whether there is a secret, and for none. */
const verdicts =
  '(?:true|false|null|nil|none|undefined|absent|present|missing|required|optional|string|yes|no)';
const place = String.raw`[\w./-]{1,200}\.[a-z]{1,5}:\d{1,7}(?::\d{1,7})?`;
const notTold = String.raw`(?!\\{0,15}["']?(?:(?:${verdicts}|${place})${valueEnd}|arn:aws[a-z-]{0,20}:))`;
/** The rest of a header's line is a part of its value. */
const notToldInHeader = String.raw`(?!\\{0,15}["']?\[?${verdicts}[.,)}\]]{0,5}[ \t]{0,100}(?:["'\\\r\n]|$))`;
/** A value that a person fills in, and one that another program has left out. */
const placeholder = String.raw`(?!\\{0,15}["']?(?:\$[{(A-Z_]|[<(*…=]|\[MASKED))`;

const nameEnd = String.raw`\\{0,15}["']?`;
const blanks = String.raw`[ \t]{0,100}`;
/** A colon, and no name of the next assignment behind it: one of letters only, as a secret is none. */
const colon = String.raw`${blanks}:(?:[ \t]{1,100}(?![a-z_]{2,40}=\w)|[ \t]{0,100}\r?\n[ \t]{1,100}(?![a-z_]{2,40}(?:=\w|:\s))|(?!\s))`;
/** Blanks on both sides, on none, or before a quote: one that stands alone behind the sign is before the next word. */
const equals = String.raw`(?:[ \t]{1,100}(?:=>|=(?![=>]))[ \t]|${blanks}(?:=>|=(?![=>]))(?:(?![ \t])|[ \t]{1,100}(?=\\{0,15}["'])))`;

// The name stays, so that a reader sees what was left out.
const assignments = [
  String.raw`(?<name>${anyOf(...secretHeaders)}${nameEnd}\s{0,100}[:=]\s{0,100}${notToldInHeader}(?:\[(?!MASKED\])\s{0,100})?)(?:${quoted}|[^\s"'\\](?:[^"'\\\r\n]|\\[^"'\r\n]){0,${longestValue}})`,
  `(?<name>${anyOf(...secretNames)}${outsideArn}${nameEnd}(?:${colon}|${equals})${notTold})(?:${quoted}|${bare})`,
  `(?<name>${anyOf(...passwordSuffixes, ...tokenSuffixes)}${nameEnd}${equals}${notTold}${placeholder})(?:${quoted}|${bare})`,
  String.raw`(?<name>${anyOf(...passwordSuffixes)}\\{0,15}["']\s{0,100}:\s{0,100}${notTold}${placeholder})(?:${quoted})`,
  `(?<name>${anyOf(...passwordSuffixes, ...tokenSuffixes)}${outsideArn}${nameEnd}${colon}${notTold}${placeholder}${nameEnd})${telling}`,
  String.raw`(?<name>--(?:[a-z0-9]{1,30}-){0,5}${anyOf(...passwordSuffixes, ...tokenSuffixes)} {1,20}${notTold}${nameEnd})(?=[^\s"']{0,100}[a-z0-9])(?!-)${character}{6,${longestValue}}`,
  String.raw`(?<name>\bbearer\s{1,100})${telling}`,
  // Each of curl's `--user` and `--proxy-user`, in their short forms (`-u`, `-U`), too.
  String.raw`(?<name>\s(?:-u|--user|--proxy-user)(?<=\bcurl\b[^\r\n]{0,300})[ =]?["']?[^\s:"']{1,200}:)${notTold}${placeholder}${character}{1,${longestValue}}`,
].map((pattern) => new RegExp(pattern, 'gi'));

const basic = new RegExp(`(\\bbasic\\s{1,100})([a-z0-9+/_-]{8,${longestValue}}={0,2})`, 'gi');

/** Masks each value that stands behind a name of a secret. */
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
