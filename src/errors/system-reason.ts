/** Why the system refused, in its own word where it has one: ENOSPC, EACCES. */
export function systemReason(error: unknown): string {
  const { code, message } = error as { code?: string; message: string };
  return code ?? message;
}
