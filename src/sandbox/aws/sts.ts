import { accountId } from './account.ts';

/** STS speaks in forms and XML; whose credentials these are is all that it is asked here. */
export function callerIdentity(form: string): Response {
  const action = new URLSearchParams(form).get('Action');
  const headers = { 'content-type': 'text/xml' };
  if (action !== 'GetCallerIdentity') {
    const error = `<Code>InvalidAction</Code><Message>${action === null ? 'No action' : 'Unknown action'}</Message>`;
    return new Response(
      `<ErrorResponse><Error><Type>Sender</Type>${error}</Error></ErrorResponse>`,
      {
        status: 400,
        headers,
      },
    );
  }
  return new Response(
    `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult><Arn>arn:aws:iam::${accountId}:user/sandbox</Arn><UserId>AIDASANDBOX</UserId><Account>${accountId}</Account></GetCallerIdentityResult><ResponseMetadata><RequestId>00000000-0000-0000-0000-000000000000</RequestId></ResponseMetadata></GetCallerIdentityResponse>`,
    { status: 200, headers },
  );
}
