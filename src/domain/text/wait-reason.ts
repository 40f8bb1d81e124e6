/** A text without its counts and durations: `3m 10s of 15m` and `4m of 15m` are the same reason. */
export function reasonOf(text: string): string {
  return text
    .replace(/\d+(?:\.\d+)?(?:ms|s|m|h|d|%)?(?![a-zA-Z0-9])/g, '#')
    .replace(/#(?:\s+#)+/g, '#');
}
