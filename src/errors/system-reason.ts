/** Returns the system's error code, such as ENOSPC or EACCES, otherwise its message. */
export function systemReason(error: unknown): string {
  const { code, message } = error as { code?: string; message: string };
  return code ?? message;
}
