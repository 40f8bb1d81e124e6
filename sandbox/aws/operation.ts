export type Body = Record<string, unknown>;

export interface OperationCall {
  readonly body: Body;
  /** How far behind the copy is that answers a read. */
  readonly staleMs: number;
}
