/** Capitalizes the first letter, except of a parameter name. */
export function capital(text: string): string {
  if (/^\w*_/.test(text)) return text;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
