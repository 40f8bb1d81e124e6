import { wrongAccount, wrongRegion } from '../../errors/external-errors.ts';
import type { StageContext } from '../context/context.ts';
import { withGuardEvent } from '../context/guard-event.ts';

/**
 * Refuses another account or region. There, nothing would be found, and a stack without a record
 * would be deployed a second time.
 */
export async function requireSameAccount(context: StageContext): Promise<void> {
  const { account, region } = context.settings.aws;
  if (account === undefined && region === undefined) return;
  await withGuardEvent(context, 'account', () => compareIdentity(context));
}

async function compareIdentity({ ports, settings }: StageContext): Promise<void> {
  const { account, region } = settings.aws;
  const found = await ports.account.readIdentity();
  const runner = settings.runnerName;
  if (account !== undefined && found.account !== account)
    throw wrongAccount({ runner, found, expected: account });
  if (region !== undefined && found.region !== region)
    throw wrongRegion({ runner, found, expected: region });
}

export async function logAccount({ ports, log }: StageContext): Promise<void> {
  const { account, arn, region } = await ports.account.readIdentity();
  log.act(`Using AWS account ${account} in region ${region}, authenticated as ${arn}.`);
}
