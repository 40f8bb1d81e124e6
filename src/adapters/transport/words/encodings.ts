/** Lists every probable form of a secret, the longest first. */
export function encodingsOf(secret: string): readonly string[] {
  if (secret.length < 4) return [];
  // Encoded forms of a secret shorter than 8 would match ordinary text.
  if (secret.length < 8) return [secret];
  const bytes = Buffer.from(secret, 'utf8');
  const hex = bytes.toString('hex');
  const base64 = [0, 1, 2].flatMap((offset) => alignedBase64(bytes, offset));
  const forms = [
    secret,
    ...secret.split(/\r?\n/).filter((line) => line.length >= 8),
    ...onOneLine(secret),
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map(toUrlAlphabet),
    ...base64.map(encodeURIComponent),
    ...urlForms(secret),
    ...jsonForms(secret),
  ];
  return [...new Set(forms)].sort((one, other) => other.length - one.length);
}

/** Returns the secret as it appears in text that was joined to one line. */
function onOneLine(secret: string): string[] {
  const line = secret.replace(/\s+/g, ' ').trim();
  return line.length >= 8 ? [line] : [];
}

/**
 * Returns the Base64 of the bytes after `offset` other bytes. The characters at both ends depend on
 * the neighbours and are omitted, so the rest matches in any text.
 */
function alignedBase64(bytes: Buffer, offset: number): string[] {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  const bare = encoded.replace(/=+$/, '');
  const start = Math.ceil((offset * 8) / 6);
  const end = Math.floor(((offset + bytes.length) * 8) / 6);
  const core = bare.slice(start, end);
  return offset === 0 ? [encoded, bare, core] : [bare.slice(start), core];
}

function toUrlAlphabet(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}

function urlForms(secret: string): string[] {
  const encoded = encodeURIComponent(secret);
  const strict = encoded.replace(/[!'()*]/g, (character) => percent(character));
  const forms = [encoded, strict, strict.replaceAll('%20', '+')];
  const lower = forms.map((form) => form.replace(/%[0-9A-F]{2}/g, (one) => one.toLowerCase()));
  return [...forms, ...lower];
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/**
 * Returns the JSON forms of JavaScript, Go and Rails. The latter two also escape `<`, `>` and `&`.
 */
function jsonForms(secret: string): string[] {
  const plain = JSON.stringify(secret).slice(1, -1);
  const html = plain.replace(/[<>&]/g, unicodeEscape);
  const ascii = html.replace(/[\u007f-\uffff]/g, unicodeEscape);
  const forms = [plain, html, ascii, plain.replaceAll('/', '\\/')];
  return [...forms, ...forms.map((form) => JSON.stringify(form).slice(1, -1))];
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
