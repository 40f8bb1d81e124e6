/** What GitLab, GitHub, AWS and key files put in front of their secrets. */
const shapes = [
  String.raw`\bgl(?:pat|rtr|rt|ptt|dt|cbt|ft|soat|agent|oas|ffct|imt|wt)-[A-Za-z0-9_.=-]{16,}`,
  String.raw`\b(?:gh[opsur]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})`,
  String.raw`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`,
  String.raw`\bxox[abprs]-[A-Za-z0-9-]{10,}`,
  '-----BEGIN [A-Z ]*PRIVATE KEY-----',
  String.raw`\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`,
  String.raw`:\/\/[^\s/:@"']+:[^\s/@"']+@`,
].join('|');

export function looksSecret(text: string): boolean {
  return new RegExp(shapes).test(text);
}

/** Offsets of everything in a text that looks like a secret, comments included. */
export function findSecrets(text: string): number[] {
  return [...text.matchAll(new RegExp(shapes, 'g'))].map((match) => match.index);
}
