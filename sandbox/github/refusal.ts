/** https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api */
export class Refusal extends Error {
  readonly status: 401 | 403 | 404 | 409 | 422;

  constructor(status: 401 | 403 | 404 | 409 | 422, message: string) {
    super(message);
    this.status = status;
  }
}

export function notFound(): Refusal {
  return new Refusal(404, 'Not Found');
}

export function invalid(message: string): Refusal {
  return new Refusal(422, message);
}
