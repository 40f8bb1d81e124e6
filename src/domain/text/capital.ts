/** As a sentence begins; the name of a parameter stays as it is written. */
export function capital(text: string): string {
  if (/^\w*_/.test(text)) return text;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
