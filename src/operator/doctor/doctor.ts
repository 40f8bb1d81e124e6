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
 * Examines everything and changes nothing; needs only read permissions. `repairs`: a repair
 * follows, so every host gets its full time limit.
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
