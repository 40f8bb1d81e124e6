export type Body = Record<string, unknown>;

export interface OperationCall {
  readonly body: Body;
  /** Age of the copy that a read returns. */
  readonly staleMs: number;
}
