import { quoted } from './quoted.ts';

/**
 * src/cli/help/error-pages.ts: what docs/troubleshooting.md says of each code, for who has no network.
 * Its keys are plain texts: were they codes, one that is renamed would keep this from being written anew.
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

/** Without what is only for a renderer; of a link, its words. */
function plain(markdown: string): string {
  return markdown
    .trim()
    .replace(/\*\*(.+?)\*\*/g, '$1')
    .replace(/`([^`\n]+)`/g, '$1')
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');
}
