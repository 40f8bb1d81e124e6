/** Undefined for what is no JSON: what somebody else wrote may be anything. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
