/** An error as AWS words it: its code is the exception's name, the HTTP status is 400 for most. */
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
