/** Tags of EC2's resources by id, as the creating calls set them. */
export interface TagMemory {
  of(id: string): Readonly<Record<string, string>>;
  /** Remembers the tags that a successful call sets. */
  learn(form: URLSearchParams, answer: string): void;
}

/** Elements of a response that contain the ids of created resources, by action. */
const idElements: Readonly<Record<string, readonly [element: string, type: string][]>> = {
  RunInstances: [
    ['instanceId', 'instance'],
    ['volumeId', 'volume'],
  ],
  CreateSecurityGroup: [['groupId', 'security-group']],
  CreateLaunchTemplate: [['launchTemplateId', 'launch-template']],
  AuthorizeSecurityGroupEgress: [['securityGroupRuleId', 'security-group-rule']],
  AuthorizeSecurityGroupIngress: [['securityGroupRuleId', 'security-group-rule']],
};

export function openTagMemory(): TagMemory {
  const known = new Map<string, Record<string, string>>();
  return {
    of: (id) => known.get(id) ?? {},
    learn(form, answer) {
      const action = form.get('Action') ?? '';
      if (action === 'CreateTags') {
        for (const id of listOf(form, 'ResourceId'))
          known.set(id, { ...known.get(id), ...tagsOf(form, '') });
        return;
      }
      for (const [element, type] of idElements[action] ?? []) {
        const tags = specifiedTags(form)[type] ?? {};
        for (const [, id = ''] of answer.matchAll(new RegExp(`<${element}>([^<]+)`, 'g')))
          known.set(id, tags);
      }
    },
  };
}

/** Returns the tags of a creating call by the type of the new resource. */
export function specifiedTags(
  form: URLSearchParams,
  prefix = '',
): Readonly<Record<string, Record<string, string>>> {
  const found: Record<string, Record<string, string>> = {};
  for (let index = 1; ; index += 1) {
    const at = `${prefix}TagSpecification.${index}.`;
    const type = form.get(`${at}ResourceType`);
    if (type === null) return found;
    found[type] = tagsOf(form, at);
  }
}

/** Returns the tags below a prefix; `member.` is IAM's and Auto Scaling's form. */
export function tagsOf(form: URLSearchParams, prefix: string): Record<string, string> {
  const tags: Record<string, string> = {};
  for (const [key, value] of form) {
    const at = /^(.*\bTags?\.(?:member\.)?\d+)\.Key$/.exec(key)?.[1];
    if (at?.startsWith(prefix) && !at.slice(prefix.length).includes('Specification'))
      tags[value] = form.get(`${at}.Value`) ?? '';
  }
  return tags;
}

/** Returns the values of a numbered parameter. */
export function listOf(form: URLSearchParams, name: string): string[] {
  return [...form].filter(([key]) => key.replace(/\.\d+$/, '') === name).map(([, value]) => value);
}
