import { quoted } from './quoted.ts';

/**
 * Renders src/cli/help/error-pages.ts: the section of docs/troubleshooting.md for each code, for
 * offline use. Its keys are plain texts, because a renamed code would otherwise block the generation.
 */
export function renderErrorPages(troubleshooting: string): string {
  const pages = troubleshooting
    .split(/^(?=#{2,3} )/m)
    .filter((section) => section.startsWith('### '))
    .map((section) => {
      const end = section.indexOf('\n');
      return { code: section.slice(4, end).trim(), text: plain(section.slice(end)) };
    });
  return `// Generated from docs/troubleshooting.md by \`npm run generate\`; edits here are lost.
export const errorPages: Readonly<Record<string, string>> = {
${pages.map(({ code, text }) => `  ${code}:${code.length < 5 ? ' ' : '\n    '}${quoted(text)},`).join('\n')}
};
`;
}

/** Removes Markdown marks and link targets. */
function plain(markdown: string): string {
  return markdown
    .trim()
    .replace(/\*\*(.+?)\*\*/g, '$1')
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');
}
