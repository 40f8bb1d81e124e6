import { parseWords } from '../command-words.ts';
import type { Inside } from '../inside.ts';
import type { CallResult } from './calls.ts';
import { renderGoTemplate } from './go-template.ts';

export function manageVolumes(inside: Inside, [verb, ...words]: readonly string[]): CallResult {
  const { containers } = inside;
  const { flags, rest, all } = parseWords(words, {
    valued: [
      'label',
      'd',
      'driver',
      'o',
      'opt',
      'format',
      'filter',
      ...(verb === 'inspect' ? ['f'] : []),
    ],
  });
  const name = rest[0] ?? '';
  if (verb === 'create') {
    containers.createVolume(name, labelsOf(all('label')));
    return { code: 0, out: `${name}\n` };
  }
  if (verb === 'ls') {
    const filters = all('filter');
    const names = [...containers.volumes.keys()].filter((own) =>
      filters.every((filter) => !filter.startsWith('name=') || own.includes(filter.slice(5))),
    );
    return { code: 0, out: names.map((own) => `${own}\n`).join('') };
  }
  if (verb === 'inspect') {
    if (!containers.volumes.has(name)) return noSuchVolume(name, 'Error: No such volume');
    const volume = { Name: name, Driver: 'local', Labels: containers.volumes.get(name) ?? {} };
    const template = flags.get('f') ?? flags.get('format');
    return {
      code: 0,
      out: `${template ? renderGoTemplate(template, volume) : JSON.stringify([volume])}\n`,
    };
  }
  if (verb === 'rm' || verb === 'remove') {
    const missing = rest.filter((own) => !containers.removeVolume(own));
    const isForced = flags.has('force') || flags.has('f');
    if (missing[0] !== undefined && !isForced) {
      return noSuchVolume(missing[0], 'Error response from daemon: get volume');
    }
    return { code: 0, out: rest.map((own) => `${own}\n`).join('') };
  }
  return {
    code: 1,
    err: `docker: 'volume ${verb ?? ''}' is not a docker command of the sandbox.\n`,
  };
}

function noSuchVolume(name: string, prefix: string): CallResult {
  return { code: 1, err: `${prefix}: ${name}: no such volume\n` };
}

export function labelsOf(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    words.map((word) => {
      const [key = '', ...value] = word.split('=');
      return [key, value.join('=')];
    }),
  );
}
