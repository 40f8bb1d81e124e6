export type Mutex = <T>(act: () => Promise<T>) => Promise<T>;

/** Creates a mutex: each call starts after the previous call has ended or failed. */
export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const mine = last.then(act, act);
    last = mine;
    return mine;
  };
}

/** Creates a mutex that stops at the first failure: all later calls reject with the same error. */
export function createFailFastMutex(): Mutex {
  const turn = createMutex();
  let failed: { readonly error: unknown } | undefined;
  return (act) =>
    turn(async () => {
      if (failed !== undefined) throw failed.error;
      try {
        return await act();
      } catch (error) {
        failed = { error };
        throw error;
      }
    });
}
