import Table from 'cli-table3';

/** Limit of a benchmark. */
export interface Goal {
  readonly of: string;
  readonly unit?: string;
  readonly most: number;
  /** Measured value; NaN if not measured, which fails the goal. */
  readonly measured: number;
  /** Environment of the measurement, such as `simulated time` or `sandbox`. */
  readonly where: string;
}

export function holds({ most, measured }: Pick<Goal, 'most' | 'measured'>): boolean {
  return measured <= most;
}

export function describeGoals(goals: readonly Goal[]): string {
  const table = new Table({
    head: ['goal', 'at most', 'measured', '', 'where'],
    colAligns: ['left', 'right', 'right', 'left', 'left'],
    style: { head: [], border: [], compact: true },
  });
  for (const goal of goals) {
    const { of, unit = '', most, measured, where } = goal;
    const value = Number.isInteger(measured) ? `${measured}` : measured.toFixed(2);
    const verdict = holds(goal) ? '✔ holds' : '✖ does not hold';
    table.push([of, `${most}${unit}`, `${value}${unit}`, verdict, where]);
  }
  return `Goals\n${table.toString()}\n`;
}
