import type { Admit } from './authorization.ts';
import type { QueryOperation } from './ec2-operations.ts';
import type { Form } from './form.ts';

/** IAM as far as it is asked: what a role may do, by the same word that admits its calls. */
export function iamOperations(admit: Admit): Readonly<Record<string, QueryOperation>> {
  return {
    SimulatePrincipalPolicy: (form) => {
      const context = contextOf(form);
      const resources = form.list('ResourceArns');
      return {
        IsTruncated: false,
        EvaluationResults: form.list('ActionNames').map((action) => ({
          EvalActionName: action,
          EvalResourceName: resources[0] ?? '*',
          EvalDecision: (resources.length === 0 ? ['*'] : resources).every((resource) =>
            admit({ action, resource, context }),
          )
            ? 'allowed'
            : 'implicitDeny',
        })),
      };
    },
  };
}

function contextOf(form: Form): Record<string, string> {
  const context: Record<string, string> = {};
  for (let at = 1; ; at += 1) {
    const path = `ContextEntries.member.${at}`;
    const name = form.text(`${path}.ContextKeyName`);
    if (name === undefined) return context;
    context[name] = form.list(`${path}.ContextKeyValues`)[0] ?? '';
  }
}
