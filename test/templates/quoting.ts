import { isScalar, parseDocument, type Scalar, visit } from 'yaml';
import { readTemplate } from './interpolation.ts';

const block = /\$\[\[\s*(\w+)\.(\w+)[^\]]*\]\]/g;
const scripts = ['script', 'before_script', 'after_script', 'pre_get_sources_script'];

/**
 * Lists places that could turn a value into more than a value. GitLab inserts raw text before it
 * parses YAML, so a text needs double quotes and never belongs in a script. A list is inserted as
 * JSON, alone. In a block it stays text, because JSON has no line breaks.
 */
export function findUnquoted(text: string): string[] {
  const { body, inputs } = readTemplate(text);
  const problems: string[] = [];
  const document = parseDocument(body);
  let seen = 0;
  visit(document, {
    Scalar(_, node, path) {
      const blocks = [...String(node.value).matchAll(block)];
      seen += blocks.length;
      if (blocks.length === 0) return;
      const keys = path.flatMap((part) =>
        'key' in part && isScalar(part.key) ? [String(part.key.value)] : [],
      );
      if (keys.some((key) => scripts.includes(key))) problems.push(`in a script: ${node.value}`);
      for (const [whole, context, name = ''] of blocks) {
        const type = context === 'inputs' ? inputs[name]?.type : 'string';
        if (type === 'array' ? !isAlone(node, whole) : node.type !== 'QUOTE_DOUBLE') {
          problems.push(`unquoted: ${node.value}`);
        }
      }
    },
  });
  // Values are also inserted into comments, which a line break would end.
  if (seen !== [...body.matchAll(block)].length) problems.push('in a comment');
  return problems;
}

function isAlone(node: Scalar, whole: string): boolean {
  return ['PLAIN', 'BLOCK_LITERAL'].includes(node.type ?? '') && node.value === whole;
}
