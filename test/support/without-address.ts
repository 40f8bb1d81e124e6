import { documentation } from '../../src/errors/render.ts';

/** Returns an error's text without the version's address: `ref` only names the page. */
export function withoutAddress(text: string): string {
  return text.replaceAll(documentation, 'docs/');
}
