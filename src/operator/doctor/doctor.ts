import { type Examination, examine } from '../../domain/doctor/examination.ts';
import { describeNow } from '../../domain/doctor/state-line.ts';
import { commandOf } from '../../errors/fix-line.ts';
import type { StageContext } from '../../stages/context/context.ts';
import { hostTimeoutMs } from '../stack-reading.ts';
import { readStackFacts } from './gather.ts';

export interface Examined extends Examination {
  readonly now: string;
}

/**
 * Looks at everything and changes nothing; reading permissions are enough. `repairs`: something is done by
 * what is seen, so that every host is waited for.
 */
export async function examineStack(
  context: StageContext,
  { repairs = false }: { repairs?: boolean } = {},
): Promise<Examined> {
  const facts = await readStackFacts(context, {
    hostsWithinMs: repairs ? undefined : hostTimeoutMs,
  });
  const examination = examine(facts);
  const now = describeNow(examination.view);
  const { findings, contradictions } = examination;
  context.log.event({
    kind: 'doctor',
    findings: findings.map(({ code, seen, commands }) => ({
      code,
      seen,
      commands: commands.map((one) => commandOf(one, context.typed)),
    })),
    contradictions,
  });
  return { ...examination, now };
}
