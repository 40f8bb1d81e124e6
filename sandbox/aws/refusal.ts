/** AWS error. Its code is the exception's name, and the HTTP status is usually 400. */
export class AwsRefusal extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

export function validationError(message: string): AwsRefusal {
  return new AwsRefusal('ValidationException', message);
}

export function parameterNotFound(): AwsRefusal {
  return new AwsRefusal('ParameterNotFound', '');
}
