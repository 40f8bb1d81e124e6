/**
 * Renders the subset of Go's templates that `docker --format` needs: fields, `json`, `index`, and
 * `if`/`else`/`end`. Throws docker's message for an unknown field.
 */
export function renderGoTemplate(template: string, data: unknown): string {
  const tokens = template.split(/(\{\{.*?\}\})/).filter((token) => token !== '');
  return renderUntil({ tokens, position: 0 }, data, true)
    .replaceAll('\\n', '\n')
    .replaceAll('\\t', '\t');
}

interface Cursor {
  tokens: readonly string[];
  position: number;
}

function renderUntil(cursor: Cursor, data: unknown, shown: boolean): string {
  let out = '';
  for (; cursor.position < cursor.tokens.length; cursor.position += 1) {
    const token = cursor.tokens[cursor.position] ?? '';
    const action = /^\{\{-?\s*(.*?)\s*-?\}\}$/.exec(token)?.[1];
    if (action === undefined) {
      out += shown ? token : '';
    } else if (action === 'end' || action === 'else') {
      return out;
    } else if (action.startsWith('if ')) {
      out += renderIf(cursor, { data, shown, condition: action.slice(3) });
    } else if (shown) {
      out += textOf(evaluate(action, data));
    }
  }
  return out;
}

function renderIf(
  cursor: Cursor,
  { data, shown, condition }: { data: unknown; shown: boolean; condition: string },
): string {
  const holds = shown && isTrue(evaluate(condition, data));
  cursor.position += 1;
  let out = renderUntil(cursor, data, holds);
  if (/\belse\b/.test(cursor.tokens[cursor.position] ?? '')) {
    cursor.position += 1;
    out += renderUntil(cursor, data, shown && !holds);
  }
  return out;
}

function evaluate(expression: string, data: unknown): unknown {
  const words = expression.match(/"[^"]*"|\S+/g) ?? [];
  if (words[0] === 'json') return JSON.stringify(field(words[1] ?? '.', data) ?? null);
  if (words[0] === 'index') {
    const key = (words[2] ?? '').replaceAll('"', '');
    return (field(words[1] ?? '.', data) as Record<string, unknown> | undefined)?.[key] ?? '';
  }
  return field(words[0] ?? '.', data);
}

function field(path: string, data: unknown): unknown {
  let value: unknown = data;
  for (const key of path.split('.').filter((part) => part !== '')) {
    if (typeof value !== 'object' || value === null || !(key in value)) {
      throw new Error(`template parsing error: map has no entry for key "${key}"`);
    }
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function isTrue(value: unknown): boolean {
  return !(value === false || value === '' || value === 0 || value === undefined || value === null);
}

function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
}
