/** Every form in which a secret is likely to turn up, the longest first. */
export function encodingsOf(secret: string): readonly string[] {
  if (secret.length < 4) return [];
  // Shorter than 8 the encoded forms are so short that they hit ordinary text.
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

/** As it stands in what was drawn together to one line, by us or by somebody else. */
function onOneLine(secret: string): string[] {
  const line = secret.replace(/\s+/g, ' ').trim();
  return line.length >= 8 ? [line] : [];
}

/**
 * Base64 of the bytes as it appears after `offset` other bytes. The characters at both ends that
 * also depend on the neighbours are left off, so that the rest is found whatever they are.
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

/** As JavaScript, Go and Rails write it: the latter two also escape `<`, `>` and `&`. */
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
