/** In the order in which it is collected (DESIGN section 5). */
export const evidenceKinds = ['instance', 'manager', 'host', 'workload', 'canary'] as const;

export type EvidenceKind = (typeof evidenceKinds)[number];
