/** How often calls may be repeated, over all calls of this process together. */
export interface Budget {
  /** Takes one repetition; false when none is left. */
  take(): boolean;
  /** A call that went through gives a part of a repetition back. */
  restore(): void;
}

export interface BudgetLimits {
  readonly repetitions: number;
  readonly restoredPerSuccess: number;
}

// One outage must not make every call of a long drain wait through all of its own repetitions;
// what works again earns its patience back.
const usual: BudgetLimits = { repetitions: 60, restoredPerSuccess: 0.5 };

export function createBudget(limits: BudgetLimits = usual): Budget {
  let left = limits.repetitions;
  return {
    take() {
      if (left < 1) return false;
      left -= 1;
      return true;
    },
    restore() {
      left = Math.min(limits.repetitions, left + limits.restoredPerSuccess);
    },
  };
}
