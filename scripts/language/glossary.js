/**
 * @typedef {{ use: string, avoid: string }} Rule  A word or phrase, and what the glossary has in its place.
 */

/**
 * Reads the words that the glossary refuses: the last column of a table whose header ends with
 * `do not use`, and the first column of a table whose header begins with it.
 * @param {string} glossary the text of docs/understand/glossary.md @returns {Rule[]}
 */
export function rulesOf(glossary) {
  /** @type {Rule[]} */
  const rules = [];
  let place = '';
  for (const line of glossary.split('\n')) {
    if (!line.startsWith('|')) {
      place = '';
      continue;
    }
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    const [first = '', second = ''] = cells;
    const last = cells.at(-1) ?? '';
    if (/^[-: ]+$/.test(first)) continue;
    if (place === '')
      place = last === 'do not use' ? 'last' : first === 'do not use' ? 'first' : 'none';
    else if (place !== 'none') {
      const [avoided, use] = place === 'last' ? [last, first] : [first, second];
      for (const avoid of avoided.split(/,\s*/)) if (avoid !== '') rules.push({ use, avoid });
    }
  }
  return rules;
}

/** @param {readonly Rule[]} rules @returns {RegExp} matches each avoided word or phrase */
export function avoidedWords(rules) {
  const words = rules.map(({ avoid }) => avoid.replace(/\s+/g, '\\s+'));
  words.sort((one, other) => other.length - one.length);
  return new RegExp(`(?<![\\w-])(?:${words.join('|')})(?![\\w-])`, 'giu');
}
