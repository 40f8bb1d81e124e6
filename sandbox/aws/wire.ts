import { Form } from './form.ts';
import type { Body } from './operation.ts';
import { AwsRefusal } from './refusal.ts';
import { toXml, type XmlValue } from './xml.ts';

/** Services with a JSON protocol. The others use forms. */
export type JsonService = 'ssm' | 'tagging' | 'cloudwatch';
export type Service = JsonService | 'ec2' | 'autoscaling' | 'sts' | 'iam';

/** Call as received. */
export interface WireCall {
  readonly service: Service;
  readonly operation: string;
  readonly text: string;
  readonly request: Request;
}

const targets: Readonly<Record<string, Service>> = {
  AmazonSSM: 'ssm',
  ResourceGroupsTaggingAPI_20170126: 'tagging',
  GraniteServiceVersion20100801: 'cloudwatch',
};

const forms = ['ec2', 'autoscaling', 'iam'] as const;

/** Reads a call. JSON names the service in a header; a form only in the scope of its signature. */
export function readCall(request: Request, text: string): WireCall {
  const target = request.headers.get('x-amz-target');
  if (target !== null) {
    const [name = '', operation = ''] = target.split('.');
    return { service: targets[name] ?? 'ssm', operation, text, request };
  }
  const scope = /\/([a-z0-9-]+)\/aws4_request/.exec(request.headers.get('authorization') ?? '');
  const named = scope?.[1] ?? 'sts';
  const service = forms.find((one) => one === named) ?? 'sts';
  return { service, operation: new Form(text).action, text, request };
}

export function isJson({ service }: Pick<WireCall, 'service'>): boolean {
  return service === 'ssm' || service === 'tagging' || service === 'cloudwatch';
}

/** Trouble that each service reports with its own error. */
export type Trouble =
  | 'throttled'
  | 'denied'
  | 'expired'
  | 'stranger'
  | 'unsigned'
  | 'unknown'
  | 'internal';

const words: Readonly<Record<Trouble, Readonly<Record<'json' | 'ec2' | 'query', Wording>>>> = {
  throttled: {
    json: ['ThrottlingException', 'Rate exceeded', 400],
    ec2: ['RequestLimitExceeded', 'Request limit exceeded.', 503],
    query: ['Throttling', 'Rate exceeded', 400],
  },
  denied: {
    json: ['AccessDeniedException', 'User is not authorized to perform this action.', 400],
    ec2: ['UnauthorizedOperation', 'You are not authorized to perform this operation.', 403],
    query: ['AccessDenied', 'User is not authorized to perform this action.', 403],
  },
  expired: {
    json: ['ExpiredTokenException', 'The security token included in the request is expired', 400],
    ec2: ['RequestExpired', 'Request has expired.', 400],
    query: ['ExpiredToken', 'The security token included in the request is expired', 403],
  },
  stranger: {
    json: [
      'UnrecognizedClientException',
      'The security token included in the request is invalid.',
      400,
    ],
    ec2: ['AuthFailure', 'AWS was not able to validate the provided access credentials', 401],
    query: ['InvalidClientTokenId', 'The security token included in the request is invalid', 403],
  },
  unsigned: {
    json: ['MissingAuthenticationTokenException', 'Missing Authentication Token', 400],
    ec2: ['MissingAuthenticationToken', 'Missing Authentication Token', 403],
    query: ['MissingAuthenticationToken', 'Missing Authentication Token', 403],
  },
  unknown: {
    json: ['UnknownOperationException', '', 400],
    ec2: ['InvalidAction', 'The action is not valid for this web service.', 400],
    query: ['InvalidAction', 'Could not find the operation.', 400],
  },
  internal: {
    json: ['InternalServerError', 'An internal error occurred.', 500],
    ec2: ['InternalError', 'An internal error has occurred', 500],
    query: ['InternalFailure', 'An internal error occurred.', 500],
  },
};

type Wording = readonly [code: string, message: string, status: number];

export function troubleOf(call: WireCall, trouble: Trouble, status?: number): AwsRefusal {
  const kind = isJson(call) ? 'json' : call.service === 'ec2' ? 'ec2' : 'query';
  const [code, text, usual] = words[trouble][kind];
  const isRole = trouble === 'denied' && call.operation.startsWith('AssumeRole');
  const message = isRole ? `Not authorized to perform sts:${call.operation}` : text;
  return new AwsRefusal(code, message, status ?? usual);
}

/** Creates the denial. AWS names the missing action, and most services also name the resource. */
export function denialOf(call: WireCall, wish: { action: string; resource: string }): AwsRefusal {
  const { code, status } = troubleOf(call, 'denied');
  const text = `User: arn:aws:iam::123456789012:user/sandbox is not authorized to perform: ${wish.action} on resource: ${wish.resource} because no identity-based policy allows the ${wish.action} action`;
  return new AwsRefusal(
    code,
    call.service === 'ec2' ? troubleOf(call, 'denied').message : text,
    status,
  );
}

export function answerOf(call: WireCall, body: Body | XmlValue): Response {
  const { service, operation } = call;
  if (isJson(call)) return json(call, 200, body as Body);
  const isEc2 = service === 'ec2';
  const content = toXml(body as XmlValue, isEc2 ? 'item' : 'member');
  const id = '<requestId>00000000-0000-0000-0000-000000000000</requestId>';
  const inner = isEc2
    ? `${id}${content}`
    : `<${operation}Result>${content}</${operation}Result><ResponseMetadata>${id}</ResponseMetadata>`;
  return xml(200, `<${operation}Response>${inner}</${operation}Response>`);
}

export function refusalOf(
  call: WireCall,
  { code, message, status }: AwsRefusal,
  headers: Record<string, string> = {},
): Response {
  if (isJson(call)) return json(call, status, { __type: code, message }, headers);
  const error = `<Error>${call.service === 'ec2' ? '' : '<Type>Sender</Type>'}${toXml({ Code: code, Message: message }, 'item')}</Error>`;
  const body =
    call.service === 'ec2'
      ? `<Response><Errors>${error}</Errors><RequestID>0</RequestID></Response>`
      : `<ErrorResponse>${error}<RequestId>0</RequestId></ErrorResponse>`;
  return xml(status, body, headers);
}

function json(
  { service }: WireCall,
  status: number,
  body: Body,
  headers: Record<string, string> = {},
): Response {
  const version = service === 'cloudwatch' ? '1.0' : '1.1';
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': `application/x-amz-json-${version}`, ...headers },
  });
}

function xml(status: number, body: string, headers: Record<string, string> = {}): Response {
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${body}`, {
    status,
    headers: { 'content-type': 'text/xml', ...headers },
  });
}
