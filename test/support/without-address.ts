import { documentation } from '../../src/errors/render.ts';

/** The text of an error as every version prints it: `ref` names the page without the address of this one. */
export function withoutAddress(text: string): string {
  return text.replaceAll(documentation, 'docs/');
}
