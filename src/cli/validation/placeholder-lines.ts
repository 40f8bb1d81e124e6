import { printable } from '../../domain/text/show.ts';

/** Lists the lines of a YAML file that contain FILL_IN outside comments. */
export function listPlaceholders(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const column = line.replace(/(?:^|\s)#.*$/, '').indexOf('FILL_IN');
    return column < 0
      ? []
      : [`${printable(path)}:${index + 1}:${column + 1}: replace FILL_IN by a value`];
  });
}
